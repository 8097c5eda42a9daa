import type { ModeDescription, Target } from './provider'
import { isCloudflareGateway, parameterOf } from './urls'

/** The address of a WebSocket at an address of the web. */
export const socketAddress = (url: string): string => url.replace(/^http/, 'ws')

/** Models that still take the events of the beta. All others refuse its header. */
const hasBeta = (model: string): boolean => /-realtime-preview(?:-|$)/.test(model)

/** Whether the client speaks the events of the beta, and the model has them. */
export const isBeta = ({ model, dialectHeaders }: Pick<Target, 'model' | 'dialectHeaders'>): boolean =>
  dialectHeaders?.['openai-beta'] === 'realtime=v1' && hasBeta(model)

/** The parameters of a session's address: the model, or the purpose of one that only transcribes. */
export const sessionQuery = ({ model, path }: Pick<Target, 'model' | 'path'>): string =>
  parameterOf(path, 'intent') === 'transcription' ? '?intent=transcription' : `?model=${encodeURIComponent(model)}`

/** `wss:{base}/v1/realtime`. https://platform.openai.com/docs/guides/realtime-websocket */
export const openAiRealtime = (options?: Partial<Omit<ModeDescription, 'dialect'>>): ModeDescription => ({
  dialect: 'openai-realtime',
  url: (target) =>
    `${socketAddress(target.baseUrl)}${isCloudflareGateway(target.baseUrl) ? '' : '/v1/realtime'}${sessionQuery(target)}`,
  acceptsStreamOptions: false,
  ...options,
  headers: (target) => ({
    ...options?.headers?.(target),
    ...(isBeta(target) && { 'openai-beta': 'realtime=v1' }),
  }),
})
