import { Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/copy-button'
import { CodeBlock } from '../../components/texts/code-block'
import { useTranslation } from '../../lib/text/i18n'
import type { Client, ClientPlace, ClientStep } from './clients/client'
import { pathIn, terminalText, type Shell } from './clients/terminal-text'
import classes from './connect.module.css'

interface ClientStepsProps {
  readonly client: Client
  readonly place: ClientPlace
  /** Shown instead of the key; the key itself is copied. */
  readonly shownKey: string
  readonly shell: Shell
}

/** What to do in order to connect one program. */
export function ClientSteps({ client, place, shownKey, shell }: ClientStepsProps) {
  const shown = client.steps({ ...place, apiKey: shownKey })
  const copied = client.steps(place)
  return (
    <Stack gap="md">
      {shown.map((step, index) => (
        <Step key={index} step={step} copied={copied[index] ?? step} shell={shell} />
      ))}
    </Stack>
  )
}

interface StepProps {
  readonly step: ClientStep
  /** The same step with the key. */
  readonly copied: ClientStep
  readonly shell: Shell
}

function Step({ step, copied, shell }: StepProps) {
  const { t } = useTranslation('connect')
  const caption =
    step.kind === 'file'
      ? t('step.file', { path: pathIn(step.path, shell) })
      : step.kind === 'fields'
        ? step.where && t('step.fields', { where: step.where })
        : t(`step.${step.kind}`)
  return (
    <div>
      {caption && (
        <Text size="sm" mb={6}>
          {caption}
        </Text>
      )}
      {step.kind === 'fields' ? (
        <dl className={classes.fields}>
          {step.fields.map(({ name, value }, index) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <CopyField value={valueAt(copied, index) ?? value} shown={value} label={t('copyField', { name })} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <CodeBlock
          code={textOf(step, shell)}
          copied={textOf(copied, shell)}
          language={step.kind === 'terminal' ? 'bash' : step.language}
        />
      )}
    </div>
  )
}

const valueAt = (step: ClientStep, index: number) => (step.kind === 'fields' ? step.fields[index]?.value : undefined)

const textOf = (step: Exclude<ClientStep, { kind: 'fields' }> | ClientStep, shell: Shell): string =>
  step.kind === 'terminal' ? terminalText(step, shell) : 'text' in step ? step.text : ''
