import type { Generated } from 'kysely'

export interface MessagesTable {
  id: Generated<number>
  /** Empty: written by a person. Otherwise the gateway's kind of notification, one of `TellingKind`; `params` has the facts. */
  kind: Generated<string>
  title: string
  content: string
  format: string
  /** JSON; empty where a person wrote it. */
  params: Generated<string>
  /** 0: the gateway itself. */
  created_by: number
  created_at: number
  updated_at: number
  /** `users`, `all`, `group`, `role` or `model`; `one` where the gateway wrote it. */
  audience: string
  audience_value: Generated<string>
  /** Later accounts are not among the recipients of an audience. */
  last_user_id: Generated<number>
  total_recipients: Generated<number>
  read_count: Generated<number>
  send_mail: Generated<number>
  /** Up to which user id receipts of the audience exist; null: all of them do. */
  expand_after: number | null
  /** Up to which user id copies are in the mail queue; null: there is nothing to queue. */
  mail_after: number | null
  /** Null: not deleted. Its receipts are removed a part at a time, the row last. */
  deleted_at: number | null
  /** When the job continues its delivery or deletion; null: nothing is left to do. */
  due_at: number | null
}

/** Who received a message; for a message to everyone, who read it. */
interface MessageReceiptsTable {
  message_id: number
  user_id: number
  /** Null: unread. */
  read_at: number | null
}

export interface MessageTables {
  messages: MessagesTable
  message_receipts: MessageReceiptsTable
}
