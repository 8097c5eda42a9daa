import { Button, Group } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Grant } from '@tollgate/contract'

import { useTranslation } from '../lib/text/i18n'
import { useViewer } from '../lib/api/session'

interface RefusedHelpProps {
  /** The code of the refusal. */
  readonly code: string | undefined
  readonly model: string
}

/** Leads from a refused call to where it is mended. Draws nothing for a refusal without such a place. */
export function RefusedHelp({ code, model }: RefusedHelpProps) {
  const { t } = useTranslation('refused')
  const { may } = useViewer()
  const steps = nextSteps(code, model).filter(({ grant }) => grant === undefined || may(grant))
  if (steps.length === 0) return null
  return (
    <Group gap={8} mt={8}>
      {steps.map(({ name, link }, index) => (
        <Button
          key={name}
          variant={index === 0 ? 'filled' : 'default'}
          renderRoot={(props) => <Link {...link} {...props} />}
        >
          {t(name)}
        </Button>
      ))}
    </Group>
  )
}

type StepName = 'price' | 'accept' | 'channel' | 'routing' | 'models' | 'topUp' | 'tokens'

interface NextStep {
  readonly name: StepName
  readonly link: Pick<LinkProps, 'to' | 'search'>
  /** Whom it helps; by default everyone. */
  readonly grant?: Grant
}

/** Returns where a refused call is mended, by the code of its refusal: the price or the switch that is missing, first what helps most. */
function nextSteps(code: string | undefined, model: string): readonly NextStep[] {
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
