"""The faults by their names, in the order of the table."""
from scenarios.answers import AnswerLost
from scenarios.clock import BothClocksJumped, ClockJumped, MonthTurned
from scenarios.disk import DiskFull
from scenarios.endings import PostgresRestarted, PostgresSilent, PostmasterKilled, ServerKilled, ServerRestarted
from scenarios.failover import Failover, FailoverBehind
from scenarios.upgrade import Upgraded
from scenarios.waiting import PoolExhausted, RowLocked

ALL = {scenario.name: scenario for scenario in (
    ServerKilled, PostmasterKilled, ServerRestarted, PostgresRestarted, PostgresSilent, AnswerLost, RowLocked, PoolExhausted,
    ClockJumped, BothClocksJumped, MonthTurned, DiskFull, Failover, FailoverBehind, Upgraded)}
