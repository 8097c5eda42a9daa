import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import { auditRoutes, role } from '@tollgate/contract'

import { factorSite, password, totp } from '../../../test/factor-site'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aPostOffice } from '../../../test/post-office'

setDefaultTimeout(120_000)

describe.each(kinds)('what administrators do to the sign-in of a user (%s)', (kind) => {
  const once = onceOf(kind)

  const at = factorSite(kind)
  type Owner = Awaited<ReturnType<typeof at.anOwner>>

  const removeFactors = async (by: Owner, id: number, { reason = 'Lost the phone', isProven = true } = {}) => {
    const headers = isProven ? await at.proofOf(by.browser, 'user_factors') : {}
    return (await by.browser.call('DELETE', `/api/user/${id}/factors`, { body: { reason }, headers })).outcome
  }
  const seenBy = async (by: Owner, { id }: Owner) => {
    const { text } = await by.browser.call('GET', `/api/user/${id}`)
    return (JSON.parse(text) as { data: { has_second_factor: boolean } }).data.has_second_factor
  }

  test('an administrator removes the second factors of a user, who is notified and signs in by the password again', async () => {
    await using post = await aPostOffice(at.ctx)
    const admin = await at.anOwner({ role: role.admin })
    const owner = await at.anOwner({ email: 'ann@example.com' })
    await owner.browser.call('PUT', '/api/user/setting', { body: { language: 'zh' } })
    expect(await removeFactors(admin, owner.id)).toBe('factor.none')
    await at.setUpTotp(owner)
    await at.addPasskey(owner)
    expect(await seenBy(admin, owner)).toBe(true)
    const { complete } = await at.halfway(owner.username)
    // Mails queued together are sent in any order.
    await post.subjectsTo('ann@example.com')
    expect(await removeFactors(admin, owner.id)).toBe('ok')
    expect(await seenBy(admin, owner)).toBe(false)
    expect(await at.overviewOf(owner)).toMatchObject({ totp_since: null, passkeys: [], recovery_codes: 0 })
    expect(await complete(totp('123456'))).not.toBe('ok')
    const body = { username: owner.username, password }
    expect((await admin.browser.call('POST', '/api/user/login', { body })).outcome).toBe('ok')

    const { subject, text } = await post.lastTo('ann@example.com')
    expect(subject).toBe('管理员移除了您 Gate 账户的两步验证方式')
    expect(text).not.toContain(admin.username)
    const [row] = (await at.site.client(admin.session).call(auditRoutes.listAudit, { query: { action: 'user' } })).items
    expect(row).toMatchObject({
      action: 'user.remove_factors',
      target_id: String(owner.id),
      target_name: owner.username,
      outcome: 'ok',
      after: { second_factors: 'none', reason: 'Lost the phone' },
    })
    const log = await owner.browser.call('GET', '/api/log/self?type=3')
    expect(log.text).toContain('Lost the phone')
    expect(log.text).not.toContain(admin.username)
  })

  once('second factors are not removed without a reason, without a proof, or from an equal', async () => {
    const [admin, peer] = [await at.anOwner({ role: role.admin }), await at.anOwner({ role: role.admin })]
    await at.setUpTotp(peer)
    expect(await removeFactors(admin, peer.id)).toBe('user.rank_edit')
    expect(await removeFactors(admin, peer.id, { reason: ' ' })).toBe('input.invalid')
    expect(await removeFactors(admin, peer.id, { isProven: false })).toBe('auth.step_up')
    const wrongProof = { headers: await at.proofOf(admin.browser, 'factors'), body: { reason: 'x' } }
    expect((await admin.browser.call('DELETE', `/api/user/${peer.id}/factors`, wrongProof)).outcome).toBe(
      'auth.step_up',
    )
    const user = await at.anOwner()
    expect(await removeFactors(user, peer.id)).toBe('auth.forbidden')
    expect((await at.overviewOf(peer)).totp_since).not.toBeNull()
  })

  once('a user whose password an administrator sets is told by mail, without naming the administrator', async () => {
    await using post = await aPostOffice(at.ctx)
    await setOptionsIn(at.ctx, { SystemName: 'Gate' })
    const admin = await at.anOwner({ role: role.admin })
    const owner = await at.anOwner({ email: 'ann@example.com' })
    const headers = await at.proofOf(admin.browser, 'password')
    const body = { id: owner.id, password: 'another horse' }
    expect((await admin.browser.call('PUT', '/api/user', { body, headers })).outcome).toBe('ok')
    const { subject, text } = await post.lastTo('ann@example.com')
    expect(subject).toBe('An administrator set a new password for your Gate account')
    expect(text).toContain('/login')
    for (const detail of [admin.username, '127.0.0.1']) expect(text).not.toContain(detail)
  })
})
