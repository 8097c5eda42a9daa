import { ActionIcon, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod'

import { stored, useStored } from '../../lib/storage'
import { Tip } from '../tip'
import classes from './onboarding.module.css'
import { useOnboarding, type Step } from './use-onboarding'

const storedDismissal = stored('onboarding-dismissed', z.boolean(), false)

/** What is left to do until the first call, each step ticked by what is there. Gone when all is done, or on request. */
export function OnboardingChecklist() {
  const [isDismissed, setDismissed] = useStored(storedDismissal)
  if (isDismissed) return null
  return <Checklist onDismiss={() => setDismissed(true)} />
}

function Checklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const { t } = useTranslation('onboarding')
  const steps = useOnboarding()
  const isAllDone = steps?.every(({ isDone }) => isDone) ?? false
  // Once all is done nobody has to ask again.
  useEffect(() => {
    if (isAllDone) onDismiss()
  }, [isAllDone, onDismiss])
  if (!steps || isAllDone) return null
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

function StepLine({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  const { t } = useTranslation('onboarding')
  const { name, isDone, link } = step
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
      {isNext && <Button renderRoot={(props) => <Link {...link} {...props} />}>{t(`step.${name}.action`)}</Button>}
    </li>
  )
}
