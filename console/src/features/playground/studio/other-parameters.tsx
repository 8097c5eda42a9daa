import { Pill, Stack, Text } from '@mantine/core'
import { useId } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import type { InitialRequest, Parameters } from './initial-request'
import classes from './studio.module.css'

interface OtherParametersProps {
  readonly initial: InitialRequest | undefined
  readonly parameters: Parameters
  readonly onChange: (parameters: Parameters) => void
}

/**
 * What was handed over and has no field in the form: it is sent too, unless the reader removes it. Also names what the request had and
 * the task does not.
 */
export function OtherParameters({ initial, parameters, onChange }: OtherParametersProps) {
  const { t } = useTranslation('playground')
  const id = useId()
  const entries = Object.entries(parameters)
  const without = (name: string) => onChange(Object.fromEntries(entries.filter(([other]) => other !== name)))
  return (
    <>
      {entries.length > 0 && (
        <Stack gap={4} role="group" aria-labelledby={id} className={classes.request}>
          <Text size="sm" fw={600} id={id}>
            {t('studio.others')}
          </Text>
          <Pill.Group>
            {entries.map(([name, value]) => (
              <Pill
                key={name}
                className={classes.other}
                withRemoveButton
                removeButtonProps={{
                  'aria-label': t('studio.removeOther', { name }),
                  'aria-hidden': undefined,
                  tabIndex: 0,
                }}
                onRemove={() => without(name)}
                title={String(value)}
              >
                {`${name}: ${String(value)}`}
              </Pill>
            ))}
          </Pill.Group>
        </Stack>
      )}
      {initial && initial.lostFields.length > 0 && (
        <Text size="sm" className={classes.request}>
          {t('studio.notKept', { names: initial.lostFields.join(', ') })}
        </Text>
      )}
    </>
  )
}
