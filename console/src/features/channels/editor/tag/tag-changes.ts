/** The values of the tag editor. */
export interface TagForm {
  /** The tag's name; empty removes the tag. */
  new_tag: string
  models: string[]
  /** Empty leaves each channel's own, as an empty mapping does. */
  groups: string[]
  model_mapping: string
}

interface TagChanges {
  readonly new_tag?: string
  readonly models?: string
  readonly groups?: string
  readonly model_mapping?: string
}

/** Returns what changed; a cleared list is not a change, since a channel always keeps one. */
export function tagChanges(before: TagForm, after: TagForm): TagChanges {
  const name = after.new_tag.trim()
  const models = after.models.join(',')
  return {
    ...(name !== before.new_tag && { new_tag: name }),
    ...(models !== '' && models !== before.models.join(',') && { models }),
    ...(after.groups.length > 0 && { groups: after.groups.join(',') }),
    ...(after.model_mapping.trim() !== '' && { model_mapping: after.model_mapping }),
  }
}
