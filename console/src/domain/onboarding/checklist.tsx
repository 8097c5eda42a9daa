import { ActionIcon, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconCheck, IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { tokenRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { Barrier } from '../../components/page/barrier'
import { Tip } from '../../components/tip'
import classes from './onboarding.module.css'
import { useRead } from '../../lib/api/query'
import { hasRows, useFirstCall } from './use-first-call'

export interface Step {
  readonly name: 'channel' | 'test' | 'token' | 'call'
  readonly isDone: boolean
  readonly link: Pick<LinkProps, 'to' | 'search'>
}

interface ChecklistProps {
  readonly steps: readonly Step[]
  readonly onDismiss: () => void
}

export function Checklist({ steps, onDismiss }: ChecklistProps) {
  const { t } = useTranslation('onboarding')
  const isAllDone = steps.every(({ isDone }) => isDone)
  if (isAllDone) return <Finished onDismiss={onDismiss} />
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Paper p="md" mb="md" component="section" aria-label={t('title')}>
      <Group justify="space-between" wrap="nowrap" mb={6}>
        <Group gap={8} align="baseline">
          <Title order={2} size="h3">
            {t('title')}
          </Title>
          <Text size="xs" c="dimmed" className="figures">
            {`${done} / ${steps.length}`}
          </Text>
        </Group>
        <Tip label={t('dismiss')}>
          <ActionIcon aria-label={t('dismiss')} onClick={onDismiss}>
            <IconX size={16} />
          </ActionIcon>
        </Tip>
      </Group>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepLine key={step.name} step={step} isNext={step === next} />
        ))}
      </ol>
    </Paper>
  )
}

/** Says that all is done to a reader who saw the steps. */
function Finished({ onDismiss }: Pick<ChecklistProps, 'onDismiss'>) {
  const { t } = useTranslation('onboarding')
  return (
    <Paper p="md" mb="md" component="section" aria-label={t('title')}>
      <Group justify="space-between" wrap="nowrap" role="status">
        <Group gap={8} wrap="nowrap">
          <Barrier arm="lifting" sign={<IconCheck size={18} />} isSmall />
          <div>
            <Text fw={600}>{t('finished.title')}</Text>
            <Text size="sm" c="dimmed">
              {t('finished.hint')}
            </Text>
          </div>
        </Group>
        <Group gap={8} justify="flex-end">
          <Button renderRoot={(props) => <Link to="/app/connect" {...props} />}>{t('finished.connect')}</Button>
          <Button variant="default" onClick={onDismiss}>
            {t('finished.hide')}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

function StepLine({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  const { t } = useTranslation('onboarding')
  const { name, isDone, link } = step
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // A step of this page is taken below.
  const isHere = link.to === pathname && link.search === undefined
  const Tick = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <li className={classes.step} data-is-done={isDone || undefined} data-is-next={isNext || undefined}>
      <Tick size={18} className={classes.tick} role="img" aria-label={t(isDone ? 'done' : 'open')} />
      <div className={classes.words}>
        <Text size="sm" fw={isNext ? 600 : 400}>
          {t(`step.${name}.title`)}
        </Text>
        {isNext && (
          <Text size="xs" c="dimmed">
            {t(`step.${name}.hint`)}
          </Text>
        )}
      </div>
      {isNext && !isHere && (
        <Button renderRoot={(props) => <Link {...link} {...props} />}>{t(`step.${name}.action`)}</Button>
      )}
    </li>
  )
}

/** Polling interval for completed steps. */
export const polling = { refetchInterval: 4_000 } as const

/** Returns a user's steps to the first call; undefined until they are known. */
export function useOwnSteps(): readonly Step[] | undefined {
  const call = useFirstCall(polling)
  const token = useRead(tokenRoutes.listTokens, { query: { p: 0, size: 1 } }, polling)
  if (!call.data || !token.data) return undefined
  return [
    { name: 'token', isDone: hasRows(token.data), link: { to: '/app/tokens', search: { edit: 'new' } } },
    { name: 'call', isDone: hasRows(call.data), link: { to: '/playground' } },
  ]
}
