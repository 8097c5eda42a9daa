import { windowRoutes } from '@tollgate/contract'

import type { LogEntry } from '../../src/billing/ledger/ledger'
import type { LimitWindow } from '../../src/billing/ledger/window/limit-window'
import { limitWindow, windowSettings, windowsOfOwner } from '../../src/billing/ledger/window/read-windows'
import { setWindowsIn } from '../../src/billing/ledger/window/set-windows'
import type { Database, Transaction } from '../../src/platform/store/database'
import type { WindowRow } from '../../src/platform/store/tables'
import type { Clock } from '../../src/platform/time/clock'
import { FakeTime } from '../fake-time'
import type { Dice } from './dice'

type Settings = windowRoutes.WindowSettings
type Measure = windowRoutes.WindowMeasure

/** The windows of one owner, as the workers last read them. */
export interface OwnedWindows {
  readonly owner: windowRoutes.WindowOwner
  readonly subjectId: number
  windows: readonly LimitWindow[]
}

/** What a call may use at most, besides quota. */
export interface Tokens {
  readonly prompt: number
  readonly completion: number
}

type Shape = Pick<Settings, 'measure' | 'limit' | 'span'> & Partial<Settings>

/** Minutes, hours and days in zones whose clocks change at midnight and later, and some that slide. */
export const windowShapes = {
  richUser: [
    { measure: 'requests', limit: 60, span: 'minute' },
    { measure: 'tokens', limit: 4000, span: 'day', time_zone: 'America/Havana' },
  ],
  richKey: [
    { measure: 'quota', limit: 1200, span: 'day', time_zone: 'America/New_York' },
    { measure: 'concurrent', limit: 8, span: 'always' },
  ],
  poorUser: [{ measure: 'requests', limit: 12, span: 'seconds', seconds: 25, is_sliding: true }],
  poorKey: [{ measure: 'prompt_tokens', limit: 800, span: 'day', time_zone: 'Asia/Beirut' }],
  /** All users draw on it together. */
  shared: [{ measure: 'quota', limit: 5000, span: 'day', time_zone: 'Africa/Cairo' }],
} satisfies Record<string, readonly Shape[]>

const allShapes: readonly Shape[] = [
  ...Object.values(windowShapes).flatMap<Shape>((shapes) => shapes),
  { measure: 'quota', limit: 2500, span: 'five_hours' },
  { measure: 'quota', limit: 2500, span: 'day', time_zone: 'Asia/Beirut', is_sliding: true },
  { measure: 'completion_tokens', limit: 500, span: 'seconds', seconds: 40, is_sliding: true },
]
const maxOwned = 3

/** Unix seconds at which the clocks of these zones change. */
export const clockChanges = [
  1_805_000_400, 1_805_007_600, 1_806_184_800, 1_809_036_000, 1_824_757_200, 1_824_930_000, 1_825_563_600,
  1_825_567_200,
]

/** Creates the windows of an owner. */
export async function makeWindows(
  database: Database,
  owner: OwnedWindows['owner'],
  subjectId: number,
  shapes: readonly Shape[],
): Promise<OwnedWindows> {
  const windows = shapes.map((shape, index) => windowRoutes.WindowSettings.parse({ name: `w${index}`, ...shape }))
  const ref = String(subjectId)
  const owned = await database.query.transaction().execute(async (transaction) => {
    await setWindowsIn({ database, clock: new FakeTime(0) }, transaction, { owner, ref }, windows)
    return windowsOfOwner(transaction, owner, ref)
  })
  return { owner, subjectId, windows: limitsOf(owned, subjectId) }
}

const limitsOf = (rows: readonly WindowRow[], subjectId: number): LimitWindow[] =>
  rows.map((row) => limitWindow(row, subjectId, 'UTC')).filter((window) => window !== null)

/** Does what an administrator does with the windows of an owner: another limit, now and then another shape, fewer or more. */
export async function editAtRandom(dice: Dice, database: Database, owned: OwnedWindows, clock: Clock): Promise<void> {
  const { owner, subjectId } = owned
  const ref = String(subjectId)
  const rows = await database.query.transaction().execute(async (transaction) => {
    await lockOwner(transaction, database.kind, owned)
    const before = await windowsOfOwner(transaction, owner, ref)
    const windows = editOne(dice, before.map(windowSettings))
    await setWindowsIn({ database, clock }, transaction, { owner, ref }, windows)
    return windowsOfOwner(transaction, owner, ref)
  })
  owned.windows = limitsOf(rows, subjectId)
}

/** As the product's own call does. */
async function lockOwner(transaction: Transaction, kind: Database['kind'], { owner, subjectId }: OwnedWindows) {
  if (kind === 'sqlite') return
  if (owner === 'user')
    await transaction.selectFrom('users').select('id').where('id', '=', subjectId).forUpdate().execute()
  if (owner === 'token')
    await transaction.selectFrom('tokens').select('id').where('id', '=', subjectId).forUpdate().execute()
}

function editOne(dice: Dice, windows: readonly Settings[]): Settings[] {
  const chosen = dice.below(windows.length)
  const which = dice.below(10)
  const window = windows[chosen]
  if (!window || which === 0) return [...windows, fresh(dice, `n${dice.below(1e9)}`)].slice(0, maxOwned)
  if (which === 1) return windows.filter((other) => other !== window)
  const limit = 1 + Math.floor(window.limit * (0.3 + dice.number() * 1.5))
  const changed =
    which === 2 ? { ...fresh(dice, window.name), id: window.id } : { ...window, limit: Math.min(limit, 20_000) }
  return windows.map((other) => (other === window ? changed : other))
}

const fresh = (dice: Dice, name: string): Settings => {
  const shape = dice.pick(allShapes) ?? windowShapes.shared[0]
  return windowRoutes.WindowSettings.parse({ name, ...shape })
}

const heldOf: Readonly<Record<Measure, (amount: number, tokens: Tokens) => number>> = {
  quota: (amount) => amount,
  requests: () => 1,
  concurrent: () => 1,
  prompt_tokens: (_, { prompt }) => prompt,
  completion_tokens: (_, { completion }) => Math.min(1, completion),
  tokens: (_, { prompt, completion }) => prompt + Math.min(1, completion),
}

/** Returns what work that ends later takes of a window, computed apart from the ledger. */
export const heldFor = (measure: Measure, amount: number, tokens: Tokens): number => heldOf[measure](amount, tokens)

const usedOf: Readonly<Record<Measure, (cost: number, entry: LogEntry) => number>> = {
  quota: (cost) => cost,
  requests: () => 1,
  concurrent: () => 0,
  prompt_tokens: (_, { promptTokens }) => promptTokens,
  completion_tokens: (_, { completionTokens }) => completionTokens,
  tokens: (_, { promptTokens, completionTokens }) => promptTokens + completionTokens,
}

/** Returns what a charge uses of a window, computed apart from the ledger. */
export const usedBy = (
  measure: Measure,
  { cost, entry }: { readonly cost: number; readonly entry: LogEntry },
): number => usedOf[measure](cost, entry)
