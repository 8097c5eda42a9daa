import { Button, Group } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Grant } from '@tollgate/contract'

import { useTranslation } from '../lib/text/i18n'
import { useViewer } from '../lib/api/session'

interface RefusedHelpProps {
  /** The code of the refusal. */
  readonly code: string | undefined
  readonly model: string
  /** The owner of the limit that refused the call, where it is known. */
  readonly limit?: LimitPlace
}

/** Where the limit of a refused call is set. */
interface LimitPlace {
  /** One of `windowOwners`. */
  readonly owner: string | undefined
  readonly userId: number
  readonly tokenId: number
}

/** Leads from a refused call to where it is mended. Draws nothing for a refusal without such a place. */
export function RefusedHelp({ code, model, limit }: RefusedHelpProps) {
  const { t } = useTranslation('refused')
  const { may, user } = useViewer()
  const steps = nextSteps(code, { model, limit, readerId: user?.id }).filter(
    ({ grant }) => grant === undefined || may(grant),
  )
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

type StepName =
  | 'price'
  | 'accept'
  | 'channel'
  | 'routing'
  | 'models'
  | 'topUp'
  | 'tokens'
  | 'tokenLimits'
  | 'userLimits'
  | 'groupLimits'
  | 'ownLimits'
  | 'ownPlans'

interface NextStep {
  readonly name: StepName
  readonly link: Pick<LinkProps, 'to' | 'search'>
  /** Whom it helps; by default everyone. */
  readonly grant?: Grant
}

interface RefusedCall extends Pick<RefusedHelpProps, 'model' | 'limit'> {
  readonly readerId: number | undefined
}

/** Returns where a refused call is mended, by the code of its refusal: the price or the switch that is missing, first what helps most. */
function nextSteps(code: string | undefined, { model, limit, readerId }: RefusedCall): readonly NextStep[] {
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
    case 'quota.window':
    case 'cap.prompt':
    case 'cap.output':
    case 'cap.price':
      return limitSteps(limit, readerId)
    default:
      return []
  }
}

/** Returns where a limit is set: by the reader for an own token, otherwise by operators. Everyone sees what is left of their own. */
function limitSteps(limit: LimitPlace | undefined, readerId: number | undefined): readonly NextStep[] {
  const { owner, userId = 0, tokenId = 0 } = limit ?? {}
  const isOwn = userId === 0 || userId === readerId
  const ofReader = (name: StepName, link: NextStep['link']): readonly NextStep[] => (isOwn ? [{ name, link }] : [])
  switch (owner) {
    case 'token':
      return isOwn
        ? [{ name: 'tokenLimits', link: { to: '/app/tokens', search: { limits: tokenId } } }]
        : [{ name: 'tokenLimits', link: { to: '/admin/tokens', search: { limits: tokenId } }, grant: 'users.read' }]
    case 'user':
      return [
        { name: 'userLimits', link: { to: '/admin/users', search: { limits: userId } }, grant: 'users.read' },
        ...ofReader('ownLimits', { to: '/app/wallet' }),
      ]
    case 'group':
      return [
        { name: 'groupLimits', link: { to: '/admin/settings', search: { page: 'groups' } }, grant: 'users.write' },
        ...ofReader('ownLimits', { to: '/app/wallet' }),
      ]
    case 'plan':
      return ofReader('ownPlans', { to: '/app/plans' })
    default:
      return ofReader('ownLimits', { to: '/app/wallet' })
  }
}
