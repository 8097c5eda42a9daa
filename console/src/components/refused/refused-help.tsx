import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { nextSteps } from './next-steps'

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
