extension DatabaseError {
    /// The error and its remedy, for an operator.
    public var sentence: String {
        switch self {
        case .unavailable(let reason), .connectionLost(let reason):
            "PostgreSQL can't be reached (\(reason)): check \(LibpqEnvironment.urlSetting) and that PostgreSQL runs there."
        case .unusable(let reason): "\(reason)"
        case .refused(let refusal) where ["42P01", "3F000", "22023"].contains(refusal.state):
            "the database has not been set up (\(refusal.message)): run neuroviews-server migrate."
        case .refused(let refusal) where refusal.isReadOnly: refusal.readOnlySentence
        case .refused(let refusal):
            "PostgreSQL refused (\(refusal.message), SQLSTATE \(refusal.state)): check the rights of its role."
        }
    }
}
