import type { Selectable } from 'kysely'

import type { AccountTables, TokensTable, UsersTable } from './tables/accounts'
import type { BatchesTable, BatchTables, FilesTable } from './tables/batches'
import type { CatalogTables, ChannelsTable } from './tables/catalog'
import type { LedgerTables } from './tables/ledger'
import type { AuditLogTable, LogTables, LogsTable } from './tables/logs'
import type { MessagesTable, MessageTables } from './tables/messages'
import type { MoneyTables, OrdersTable, RedemptionCodesTable } from './tables/money'
import type { OperationTables } from './tables/operation'
import type { AccessTokensTable, SignInTables } from './tables/sign-in'
import type { PlansTable, PlanTables, SubscriptionsTable } from './tables/plans'
import type { StatefulCallTables, TasksTable } from './tables/stateful-calls'
import type { UsageTables } from './tables/usage'
import type { WindowsTable, WindowTables } from './tables/windows'

/**
 * One description for both databases. Times are unix seconds unless the name says otherwise, flags are 0 or 1, money is quota (integers
 * below 2^53), JSON is text. `…_sealed` is encrypted at rest, `…_hash` is a SHA-256.
 */
export interface Tables
  extends
    AccountTables,
    SignInTables,
    CatalogTables,
    LogTables,
    UsageTables,
    LedgerTables,
    MoneyTables,
    MessageTables,
    OperationTables,
    StatefulCallTables,
    BatchTables,
    PlanTables,
    WindowTables {}

export type UserRow = Selectable<UsersTable>
export type AccessTokenRow = Selectable<AccessTokensTable>
export type TokenRow = Selectable<TokensTable>
export type ChannelRow = Selectable<ChannelsTable>
export type AuditRow = Selectable<AuditLogTable>
export type LogRow = Selectable<LogsTable>
export type RedemptionRow = Selectable<RedemptionCodesTable>
export type OrderRow = Selectable<OrdersTable>
export type MessageRow = Selectable<MessagesTable>
export type TaskRow = Selectable<TasksTable>
export type FileRow = Selectable<FilesTable>
export type BatchRow = Selectable<BatchesTable>
export type WindowRow = Selectable<WindowsTable>
export type PlanRow = Selectable<PlansTable>
export type SubscriptionRow = Selectable<SubscriptionsTable>
