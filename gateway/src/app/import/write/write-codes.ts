import { redemptionRoutes } from '@tollgate/contract'
import type { Insertable } from 'kysely'

import { sha256 } from '../../../platform/store/seal'
import type { RedemptionCodesTable } from '../../../platform/store/tables/money'
import type { SiteSource, SourceCode } from '../site-source'
import { slicesOf, type ImportTarget } from './import-target'

const { redemptionStatus } = redemptionRoutes
type Row = Insertable<RedemptionCodesTable>

/** Imports all redemption codes, and who used them: a user does not redeem a code again. */
export async function writeCodes(source: SiteSource, target: ImportTarget): Promise<void> {
  for await (const codes of source.codes()) {
    const taken = await takenHashes(codes, target)
    const added = codes.filter((code) => isNew(code, taken, target))
    for (const some of slicesOf(added.map((code) => columnsOf(code, target))))
      await target.transaction.insertInto('redemption_codes').values(some).execute()
    await writeUses(
      added
        .filter((code) => !code.isGift && code.usedBy > 0)
        .map(({ id: codeId, usedBy: userId, redeemedAt: usedAt }) => ({ codeId, userId, usedAt })),
      target,
    )
    target.report.count('redemption codes', added.length)
  }
  for await (const uses of source.codeUses()) await writeUses(uses, target)
}

async function takenHashes(codes: readonly SourceCode[], { transaction }: ImportTarget): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom('redemption_codes')
    .select('key_hash')
    .where(
      'key_hash',
      'in',
      codes.map(({ key }) => sha256(key)),
    )
    .execute()
  return new Set(rows.map(({ key_hash: hash }) => hash))
}

function isNew({ id, key, name }: SourceCode, taken: Set<string>, { report }: ImportTarget): boolean {
  const hash = sha256(key)
  if (key !== '' && !taken.has(hash)) {
    taken.add(hash)
    return true
  }
  report.note('redemption codes without a text of their own, left out', `${name} #${id}`)
  report.leaveOut('redemption codes')
  return false
}

function columnsOf(code: SourceCode, { seal, report }: ImportTarget): Row {
  const isStatusKnown = Object.values(redemptionStatus).some((status) => status === code.status)
  const isUseless = code.quota <= 0 && code.status === redemptionStatus.unused
  if (isUseless) report.note('redemption codes without quota, disabled', `${code.name} #${code.id}`)
  return {
    id: code.id,
    name: code.name,
    key_hash: sha256(code.key),
    key_sealed: seal.seal(code.key, `redemption_codes.key_sealed#${code.id}`),
    status: isStatusKnown && !isUseless ? code.status : redemptionStatus.disabled,
    quota: code.quota,
    is_gift: Number(code.isGift),
    max_uses: code.isGift ? code.maxUses : -1,
    valid_from: code.validFrom,
    valid_until: code.validUntil,
    created_time: code.createdAt,
    created_by: code.createdBy,
    used_user_id: code.usedBy,
    redeemed_time: code.redeemedAt,
    deleted_at: code.deletedAt,
  }
}

interface Use {
  readonly codeId: number
  readonly userId: number
  readonly usedAt: number
}

/** What they brought is in the imported balances. */
async function writeUses(uses: readonly Use[], { transaction }: ImportTarget): Promise<void> {
  for (const { codeId, userId, usedAt } of uses) {
    const { numInsertedOrUpdatedRows: added } = await transaction
      .insertInto('redemption_uses')
      .values({ redemption_id: codeId, user_id: userId, used_at: usedAt, quota: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added === 0n) continue
    await transaction
      .updateTable('redemption_codes')
      .set((eb) => ({ used_count: eb('used_count', '+', 1) }))
      .where('id', '=', codeId)
      .execute()
  }
}
