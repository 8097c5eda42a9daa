import { setImmediate } from 'node:timers/promises'

import type { Books } from '../../analytics/folds'
import { readPacks, visitRecords, type PacksRead } from '../../analytics/read-packs'
import type { DimensionName } from '../../analytics/dimensions'
import { stretchesOf } from '../../analytics/levels'
import { packedUntil, packLevels } from '../../analytics/user-packs'
import type { Users, VisitRecord } from '../../analytics/user-records'
import { amountsOf, AmountsByKey, totalsOf } from './amounts-by-key'
import { inParts } from './in-parts'
import { rollupSums, type BucketSums, type RollupsAsked, type Sums } from './rollup-sums'
import { daySeconds, unfolded, type Span } from './span'

/** The largest users within a filter on one column, and the sums of all users by part of time. */
export async function* packOverview(
  books: Books,
  column: DimensionName,
  asked: RollupsAsked & { readonly most: number },
): AsyncGenerator<readonly Sums[]> {
  const { span, buckets, most } = asked
  const until = packedUntil(books.folds, column)
  const users = new AmountsByKey()
  const parts = new AmountsByKey()
  await visitAll(books, column, asked, (start, userId, amounts) => {
    users.add(userId, amounts)
    parts.add(bucketOf(buckets, start), amounts)
  })
  for await (const found of rollupSums(books.query, { ...asked, span: unfolded(span, until) })) {
    for (const { key, bucket, ...sums } of found) {
      users.add(Number(key), amountsOf(sums))
      parts.add(bucket, amountsOf(sums))
    }
  }
  yield parts.all().map(([bucket, sums]) => ({ bucket, ...totalsOf(sums) }))
  yield users.largest(most).map(([key, sums]) => ({ key, ...totalsOf(sums) }))
}

/** What some users used in each part of time. */
export async function* packSumsOverTime(
  books: Books,
  column: DimensionName,
  asked: RollupsAsked,
): AsyncGenerator<readonly BucketSums[]> {
  const { span, buckets, keys } = asked
  const users = new Map((keys ?? []).map((key) => [Number(key), new AmountsByKey()]))
  const add: VisitRecord = (start, userId, amounts) => users.get(userId)?.add(bucketOf(buckets, start), amounts)
  await visitAll(books, column, asked, add, users)
  yield [...users].flatMap(([key, parts]) =>
    parts.all().map(([bucket, sums]): BucketSums => ({ key, bucket, ...totalsOf(sums) })),
  )
  yield* rollupSums(books.query, { ...asked, span: unfolded(span, packedUntil(books.folds, column)) })
}

const bucketOf = ({ shift, size }: RollupsAsked['buckets'], start: number) => Math.floor((start + shift) / size)

/** Packs are read so many seconds at once, at first and at the least. */
const partSeconds = 4 * daySeconds
/** Bytes kept from the first question for the second. */
const mostKept = 16 * 1024 * 1024

/** Each record that is packed already. */
async function visitAll(
  { query, folds }: Books,
  column: DimensionName,
  { filter, span, buckets, known }: RollupsAsked,
  visit: VisitRecord,
  users?: Users,
): Promise<void> {
  for (const part of known.packs) {
    visitRecords(part, visit, users)
    await setImmediate()
  }
  if (known.packs.length > 0) return
  const read: PacksRead[] = []
  let bytes = 0
  for (const stretch of stretchesOf(span, packLevels(folds, column, buckets))) {
    const visitPart = async (hours: Span) => {
      const part = await readPacks(query, { filter, stretch: { ...stretch, ...hours } })
      bytes = part.packs.reduce((sum, { records }) => sum + records.length, bytes)
      if (bytes <= mostKept) read.push(part)
      visitRecords(part, visit, users)
    }
    for await (const _ of inParts(stretch, partSeconds, visitPart));
  }
  if (bytes <= mostKept) known.packs.push(...read)
}
