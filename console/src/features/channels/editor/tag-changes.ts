/** What the editor of a tag holds. */
export interface TagForm {
  /** The tag's name; empty takes the tag away. */
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

/** What differs; an emptied list is no change, as a channel always keeps one. */
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
