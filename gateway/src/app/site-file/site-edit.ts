import { grants, role, type AuditAction } from '@tollgate/contract'
import type { z } from 'zod'

import { differenceOf } from '../../accounts/audit/auditable'
import type { SiteContext } from '../../context'
import type { SiteChange } from '../../http/handler'
import { AppError } from '../../platform/app-error'
import { sentence } from '../../http/language'
import { checkedValue } from '../../http/request/checked-value'
import { auditCommand } from '../commands/act'
import type { AppliedObjects } from './applied-objects'
import type { ReadFile } from './read-file'
import type { Path } from './secret-places'

/** What applying a file works with, section by section. */
export interface SiteEdit extends Pick<ReadFile, 'faultAt' | 'unset'> {
  readonly ctx: SiteContext
  readonly applied: AppliedObjects
  /** Removes also what no file has made. */
  readonly isPruning: boolean
  /** Adds a line to what is shown of the changes. */
  readonly note: (line: string) => void
}

/** The operator at the machine. */
const caller = { userId: 0, username: '', role: role.root, grants: new Set(grants) } satisfies SiteChange['caller']

/** Makes one change as the console does, and records it as that does. @throws CommandError at the path for what is refused. */
export async function makeChange<Result>(
  { ctx, faultAt }: Pick<SiteEdit, 'ctx' | 'faultAt'>,
  { action, path }: { readonly action: AuditAction; readonly path: Path },
  change: (call: SiteChange) => Promise<Result>,
): Promise<Result> {
  const note = new ChangeNote()
  try {
    const result = await change({ ctx, caller, audit: note, requestId: '' })
    await auditCommand(ctx.database.query, { action, ...note.facts })
    return result
  } catch (error) {
    throw withPlace(error, { faultAt }, path)
  }
}

/** Returns what a check returns. @throws CommandError at the path for what it refuses. */
export function refuseAt<Result>(edit: Pick<SiteEdit, 'faultAt'>, path: Path, check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw withPlace(error, edit, path)
  }
}

/** Returns a value as a call of the console would have it. @throws CommandError at the path for what its schema refuses. */
export function readAt<Value>(
  { faultAt }: Pick<SiteEdit, 'faultAt'>,
  path: Path,
  { schema, value }: { readonly schema: z.ZodType<Value>; readonly value: unknown },
): Value {
  const checked = checkedValue(schema, value)
  if ('fault' in checked) throw faultAt(path, sentence(checked.fault.code, checked.fault.params ?? {}, 'en'))
  return checked.value
}

/** Returns a refusal with its place in the file; any other error as it is. */
const withPlace = (error: unknown, { faultAt }: Pick<SiteEdit, 'faultAt'>, path: Path): unknown =>
  error instanceof AppError ? faultAt([...path, ...fieldOf(error)], sentence(error.code, error.params, 'en')) : error

/** Returns the place of the value that was refused: `windows.0.limit`. */
function fieldOf({ envelopeFields }: AppError): Path {
  const field = envelopeFields?.['field']
  return typeof field === 'string' ? field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) : []
}

class ChangeNote {
  #target: { kind: string; id: string; name: string } | undefined
  #before = {}
  #after = {}

  target(kind: string, id: number | string, name = ''): void {
    this.#target = { kind, id: String(id), name }
  }

  recordChange(before: object, after: object): void {
    const difference = differenceOf(before, after)
    this.#before = { ...this.#before, ...difference.before }
    this.#after = { ...this.#after, ...difference.after }
  }

  get facts() {
    const some = (facts: object) => (Object.keys(facts).length > 0 ? facts : undefined)
    return { target: this.#target, before: some(this.#before), after: some(this.#after) }
  }
}
