import type { TraceSettings } from '../../config/config'
import type { TraceContext } from './trace-context'

/** Returns whether a call is traced: a new trace by its id alone, a caller's as the caller decided. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean

/** https://opentelemetry.io/docs/languages/sdk-configuration/general/#otel_traces_sampler */
export function createSampler({ sampler, share }: Pick<TraceSettings, 'sampler' | 'share'>): Sampler {
  const isBelow = (traceId: string) => Number.parseInt(traceId.slice(-13), 16) < share * 16 ** 13
  const decide: Record<string, (traceId: string) => boolean> = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: isBelow,
  }
  const root = decide[sampler.replace('parentbased_', '')] ?? (() => true)
  if (!sampler.startsWith('parentbased_')) return root
  return (traceId, parent) => (parent ? parent.isSampled : root(traceId))
}
