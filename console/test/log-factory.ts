import type { logRoutes } from '@tollgate/contract'

/** A charged call as administrators see it. */
export const aLog = (
  fields: Partial<logRoutes.LogEntity> & { readonly details?: object } = {},
): logRoutes.LogEntity => {
  const { details = {}, ...columns } = fields
  return {
    id: 1,
    request_id: 'req-1',
    created_at: 1_795_000_000,
    type: 2,
    user_id: 1,
    username: 'ada',
    token_id: 1,
    token_name: 'Web shop',
    model_name: 'small-1',
    group: 'default',
    is_stream: false,
    use_time: 2,
    prompt_tokens: 1000,
    completion_tokens: 100,
    quota: 1400,
    content: '',
    client_ip: '',
    channel: 3,
    channel_name: 'Main',
    ...columns,
    other: JSON.stringify({ model_ratio: 1, completion_ratio: 4, group_ratio: 1, model_price: -1, ...details }),
  }
}
