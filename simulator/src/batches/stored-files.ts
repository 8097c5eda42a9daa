import type { BatchReply } from './batch-book'

/** A file that was sent for a batch, or has results of one. */
export interface StoredFile {
  readonly id: string
  readonly filename: string
  readonly purpose: string
  readonly text: string
}

export const other = (body: unknown): BatchReply => ({ kind: 'other', response: Response.json(body) })
export const submission = (body: unknown): BatchReply => ({ kind: 'submission', response: Response.json(body) })
export const newId = (prefix: string): string => `${prefix}${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`

/** Reads a file of JSON lines. */
export const jsonLines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
