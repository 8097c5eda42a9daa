import { channelStatus, type channelRoutes } from '@tollgate/contract'
import type { z } from 'zod'

import { AppError } from '../../platform/app-error'
import { partsOf } from '../../channels/catalog/channel-texts'
import type { Context } from '../../context'
import { changeChannels } from '../../channels/change-channels'
import {
  checkGroups,
  checkModelMapping,
  checkModels,
  checkPriority,
  checkWeight,
  type ChannelColumns,
} from './channel-fields'
import { onceEnabled, withUsableKeys } from '../../channels/channel-status'

/**
 * Sets or removes the tag of these channels. Resolves with how many there were.
 * @throws AppError `channel.ids_empty`, `channel.tag_empty`.
 */
export function tagChannels(ctx: Context, channelIds: readonly number[], tag: string | null): Promise<number> {
  if (channelIds.length === 0) throw new AppError('channel.ids_empty')
  if (tag !== null) checkTag(tag)
  return changeChannels(ctx, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('channels')
      .set({ tag })
      .where('id', 'in', channelIds)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  })
}

/**
 * Enables or disables all channels of a tag, including those disabled after an error. Resolves with how many there are.
 * @throws AppError `channel.tag_empty`, `channel.tag_none`.
 */
export function setTagStatus(ctx: Context, tag: string, status: 1 | 2): Promise<number> {
  checkTag(tag)
  return changeChannels(ctx, async (transaction) => {
    const rows = await transaction
      .updateTable('channels')
      .set({ status, ...(status === channelStatus.enabled && onceEnabled(ctx)) })
      .where('tag', '=', tag)
      .returning(['id', 'type', 'key_sealed', 'key_states'])
      .execute()
    for (const row of status === channelStatus.enabled ? rows : []) {
      const columns = withUsableKeys(ctx, row)
      if (columns.key_states) await transaction.updateTable('channels').set(columns).where('id', '=', row.id).execute()
    }
    return countOf(tag, rows)
  })
}

export type TagEdit = z.output<(typeof channelRoutes.updateTag)['body'] & z.ZodType>

/**
 * Changes all channels of a tag. Resolves with how many there are.
 * @throws AppError `channel.tag_empty`, `channel.tag_none`, `channel.tag_unchanged` when nothing is to be changed, or a rule's code.
 */
export function updateTag(ctx: Context, edit: TagEdit): Promise<number> {
  checkTag(edit.tag)
  const columns = tagColumns(ctx, edit)
  if (Object.keys(columns).length === 0) throw new AppError('channel.tag_unchanged')
  return changeChannels(ctx, async (transaction) => {
    const rows = await transaction
      .updateTable('channels')
      .set(columns)
      .where('tag', '=', edit.tag)
      .returning('id')
      .execute()
    return countOf(edit.tag, rows)
  })
}

/**
 * Null or absent fields stay. An empty new tag removes the tag and an empty mapping clears the mapping; a channel always has models and
 * groups, so an empty list of them means that the form left it alone.
 */
function tagColumns(ctx: Context, edit: TagEdit): ChannelColumns {
  const { options } = ctx.catalog.current
  const newTag = edit.new_tag?.trim()
  return {
    ...(newTag !== undefined && newTag !== edit.tag && { tag: newTag || null }),
    ...(edit.models && { models: checkModels(edit.models) }),
    ...(edit.groups && { group: checkGroups(edit.groups, { options }) }),
    ...(typeof edit.model_mapping === 'string' && { model_mapping: checkModelMapping(edit.model_mapping) }),
    ...(typeof edit.priority === 'number' && { priority: checkPriority(edit.priority) }),
    ...(typeof edit.weight === 'number' && { weight: checkWeight(edit.weight) }),
  }
}

/** Resolves with the longest model list among the channels of a tag: what an edit of the tag starts from. */
export async function modelsOfTag(ctx: Context, tag: string): Promise<string> {
  checkTag(tag)
  const rows = await ctx.database.query.selectFrom('channels').select('models').where('tag', '=', tag).execute()
  countOf(tag, rows)
  const lists = rows.map(({ models }) => partsOf(models))
  return lists.reduce((maxList, list) => (list.length > maxList.length ? list : maxList), []).join(',')
}

function checkTag(tag: string): void {
  if (tag.trim() === '') throw new AppError('channel.tag_empty')
}

/** @throws AppError `channel.tag_none` when no channel has the tag. */
function countOf(tag: string, rows: readonly unknown[]): number {
  if (rows.length === 0) throw new AppError('channel.tag_none', { params: { tag } })
  return rows.length
}
