import type { Grant } from '@tollgate/contract'
import type { LinkProps } from '@tanstack/react-router'

type StepName = 'price' | 'accept' | 'channel' | 'routing' | 'models' | 'topUp' | 'tokens'

interface NextStep {
  readonly name: StepName
  readonly link: Pick<LinkProps, 'to' | 'search'>
  /** Whom it helps; by default everyone. */
  readonly grant?: Grant
}

/** Returns where a refused call is mended, by the code of its refusal: the price or the switch that is missing, first what helps most. */
export function nextSteps(code: string | undefined, model: string): readonly NextStep[] {
  switch (code) {
    case 'model.unpriced':
      return [
        { name: 'price', link: { to: '/admin/prices', search: { edit: model } }, grant: 'prices.write' },
        { name: 'accept', link: { to: '/app/me', search: { tab: 'preferences' } } },
      ]
    case 'model_not_found':
      return [
        { name: 'channel', link: { to: '/admin/channels', search: { edit: 'new' } }, grant: 'keys.write' },
        { name: 'models', link: { to: '/pricing' } },
      ]
    case 'route.no_channel':
      return [{ name: 'routing', link: { to: '/admin/routing', search: { model } }, grant: 'channels.read' }]
    case 'insufficient_quota':
      return [
        { name: 'topUp', link: { to: '/app/wallet' } },
        { name: 'tokens', link: { to: '/app/tokens' } },
      ]
    case 'invalid_api_key':
      return [{ name: 'tokens', link: { to: '/app/tokens' } }]
    default:
      return []
  }
}
