import { channelRoutes, channelStatus } from '@tollgate/contract'
import { providers, type Provider } from '@tollgate/providers'

import { splitKeys } from '../../channels/catalog/channel-keys'
import { secretColumns, secretMask } from '../../channels/catalog/channel-secrets'
import { auditChannels, auditNewChannel } from '../../console-api/channels/audit-channels'
import { toChannelColumns } from '../../console-api/channels/channel-fields'
import { deleteChannels } from '../../console-api/channels/delete-channels'
import { createChannel, updateChannel } from '../../console-api/channels/save-channel'
import { parsedJson } from '../../platform/text/parsed-json'
import { differenceLines } from './difference-lines'
import { costLines, setFileCosts } from './file-costs'
import { setFileWindows, windowsLine } from './file-windows'
import { storedSecret, unsetSentence } from './placeholders'
import { makeChange, readAt, refuseAt, type SiteEdit } from './site-edit'
import { isJsonField, isListField, type FileChannel, type SiteFile } from './site-file'
import { fileFields, isEnabled, vendorOf, type ChannelState, type SiteState } from './site-state'

type Fields = Omit<channelRoutes.ChannelFields, 'name'>

/** Creates, changes and removes channels, as a file says. */
export async function applyChannels(
  requested: NonNullable<SiteFile['channels']>,
  state: SiteState,
  edit: SiteEdit,
): Promise<void> {
  for (const [name, channel] of state.channels)
    if (requested[name] === undefined) await removeUnnamed(name, channel, edit)
  for (const [name, channel] of Object.entries(requested)) {
    const before = state.channels.get(name)
    await (before ? changeChannel(channel, before, edit) : addChannel(name, channel, edit))
  }
}

async function removeUnnamed(name: string, { row }: ChannelState, edit: SiteEdit): Promise<void> {
  const { ctx, applied, isPruning, note } = edit
  const object = { kind: 'channels', ref: String(row.id), createdAt: row.created_time } as const
  if (!isPruning && !applied.has(object)) return
  note(`- channels.${name}`)
  await makeChange(edit, { action: 'channel.delete', path: ['channels'] }, ({ audit }) =>
    auditChannels({ ctx, audit }, [row.id], () => deleteChannels(ctx, [row.id])),
  )
  await applied.remove(object)
}

async function addChannel(name: string, channel: FileChannel, edit: SiteEdit): Promise<void> {
  const { ctx, applied, note } = edit
  const { key = '', enabled = true } = channel
  const unset = storedSecret(key)
  if (unset !== null) throw edit.faultAt(['channels', name, 'key'], unsetSentence(unset))
  const part = edit.unset.find(({ path }) => path[0] === 'channels' && path[1] === name)
  if (part) throw edit.faultAt(part.path, unsetSentence(part.name))
  const { type } = providerNamed(channel)
  const sent = { ...fieldsOf(channel), name, type, key }
  const requested = readAt(edit, ['channels', name], { schema: channelRoutes.NewChannel, value: sent })
  note(`+ channels.${name}`)
  const action = { action: 'channel.create', path: ['channels', name] } as const
  const created = await makeChange(edit, action, async ({ audit }) => {
    const entity = await createChannel(ctx, requested)
    await auditNewChannel({ ctx, audit }, entity)
    return entity
  })
  await applied.add({ kind: 'channels', ref: String(created.id), createdAt: created.created_time })
  if (!enabled) await setFields(created.id, { status: channelStatus.disabled }, { name, edit })
  await setLimitsAndCosts(channel, { id: created.id, name, windows: [], costs: {} }, edit)
}

async function changeChannel(channel: FileChannel, before: ChannelState, edit: SiteEdit): Promise<void> {
  const { row, shown, keys, windows, costs } = before
  const { name } = row
  const provider = providerNamed(channel)
  const requestedKey = channel.key !== undefined && storedSecret(channel.key) === null ? channel.key : undefined
  const isOtherKey = requestedKey !== undefined && !Bun.deepEquals(splitKeys(requestedKey, provider), [...keys])
  const isOtherState = channel.enabled !== undefined && channel.enabled !== isEnabled(row)
  const sent = fieldsOf(channel)
  const site = { provider, options: edit.ctx.catalog.current.options }
  const isOtherType = provider.type !== row.type
  // What stays as it is stored stays, though it could not be set today: an imported channel may lack what its vendor needs.
  const checked = fileFields.filter((field) => isOtherType || !isSame(field, sent[field], before))
  const columns: Partial<Fields> = refuseAt(edit, ['channels', name], () => toChannelColumns(pick(sent, checked), site))
  const others = checked.filter((field) => !isSame(field, columns[field], before))
  const isOther = others.length > 0 || isOtherKey || isOtherState || isOtherType
  const limits = windowsLine(channel.windows, windows)
  const costing = costLines(costs, channel.costs)
  if (!isOther && limits === null && costing.length === 0) return
  edit.note(`~ channels.${name}`)
  const lines = [
    ...(isOtherType ? [`    type: ${vendorOf(row)} → ${channel.type}`] : []),
    ...differenceLines(pick(shown, others), pick(shownColumns(columns), others)),
    ...(isOtherKey ? ['    key: another key'] : []),
    ...(isOtherState ? [`    enabled: ${isEnabled(row)} → ${channel.enabled}`] : []),
    ...(limits === null ? [] : [limits]),
    ...costing,
  ]
  for (const line of lines) edit.note(line)
  const status = channel.enabled ? channelStatus.enabled : channelStatus.disabled
  const changed = {
    ...pick(sent, others),
    ...(isOtherType && { type: provider.type }),
    ...(isOtherKey && { key: requestedKey }),
    ...(isOtherState && { status }),
  }
  if (isOther) await setFields(row.id, changed, { name, edit })
  await setLimitsAndCosts(channel, { id: row.id, name, windows, costs }, edit)
}

type Limited = Pick<ChannelState, 'windows' | 'costs'> & { readonly id: number; readonly name: string }

async function setLimitsAndCosts(
  channel: FileChannel,
  { id, name, windows, costs }: Limited,
  edit: SiteEdit,
): Promise<void> {
  const path = ['channels', name]
  if (windowsLine(channel.windows, windows) !== null)
    await setFileWindows(channel.windows, { owner: 'channel', ref: String(id), path, before: windows }, edit)
  await setFileCosts(channel.costs, { id, name, before: costs }, edit)
}

interface Named {
  readonly name: string
  readonly edit: SiteEdit
}

function setFields(id: number, fields: object, { name, edit }: Named): Promise<unknown> {
  const path = ['channels', name]
  const requested = readAt(edit, path, { schema: channelRoutes.ChannelEdit, value: { ...fields, id } })
  return makeChange(edit, { action: 'channel.update', path }, ({ ctx, audit }) =>
    auditChannels({ ctx, audit }, [id], () => updateChannel(ctx, requested, { mayMoveKeys: true })),
  )
}

function providerNamed({ type }: FileChannel): Provider {
  const provider = providers.find(({ id }) => id === type)
  if (!provider) throw new Error(`The schema lets the vendor ${type} through`)
  return provider
}

/** Returns the fields as a request has them: what the file does not name is as in a new channel. */
function fieldsOf(channel: FileChannel): Fields {
  const members: Readonly<Record<string, unknown>> = channel
  const fields = fileFields.map((name) => {
    const value = members[name]
    if (value === undefined) return [name, channelRoutes.blankFields[name]]
    if (isListField(name) && Array.isArray(value)) return [name, value.join(',')]
    return [name, isJsonField(name) ? JSON.stringify(value) : value]
  })
  return Object.fromEntries(fields) as Fields
}

/** Masked parts are compared with what is shown of the stored ones. */
function isSame(field: keyof Fields, requested: unknown, { row, shown }: Pick<ChannelState, 'row' | 'shown'>): boolean {
  const isMasked = typeof requested === 'string' && requested.includes(secretMask) && isSecretColumn(field)
  const stored = (isMasked ? shown : row)[field]
  if (!isJsonField(field)) return stored === requested
  return Bun.deepEquals(parsedJson(String(stored)) ?? {}, parsedJson(String(requested)) ?? {})
}

const isSecretColumn = (field: string): boolean => secretColumns.some((column) => column === field)

/** What is shown of columns that may have credentials. */
const shownColumns = (columns: Partial<Fields>) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, isSecretColumn(name) ? '…' : value]))

const pick = <Of extends object>(from: Of, names: readonly string[]): Partial<Of> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as Partial<Of>
