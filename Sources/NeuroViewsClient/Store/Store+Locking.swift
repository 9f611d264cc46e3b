/// One sync at a time, of all processes with this store. Edits need no lock.
extension Store {
    /// The file whose lock a sync holds.
    var syncLockPath: String { "\(folder)/sync.lock" }

    /// Takes the lock of syncs, until the object goes. Nil while another sync runs.
    func attemptSyncLock() throws(ClientError) -> FileLock? {
        do throws(FileLock.Failure) {
            return try FileLock.attempt(syncLockPath)
        } catch {
            throw .store(.other("\(syncLockPath) can't be locked: \(error)"))
        }
    }
}
