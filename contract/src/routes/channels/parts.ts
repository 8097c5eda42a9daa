import * as z from 'zod'

import { ChannelId, flagText, idText } from '../../units'

export const text = (longest: number) => z.string().max(longest).optional()
export const nullableText = (longest: number) => z.string().max(longest).nullable().optional()
export const longText = 200_000

export const Params = z.object({ id: idText(ChannelId) })
export const Sorting = { id_sort: flagText.optional(), tag_mode: flagText.optional() }
export const ids = z.array(ChannelId).max(10_000)
export const admin = { access: 'admin' } as const
