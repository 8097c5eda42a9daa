import { NumberInput, Stack } from '@mantine/core'

import { TagsField } from '../../../components/fields/tags-field'
import { useTranslation } from '../../../lib/text/i18n'
import { ranges, type Parameters, type RangedParameter } from '../session/settings'
import { exampleSchema, exampleTools, readSchema, readTools } from '../session/structured'
import { JsonParameter, ParameterField, RangeField } from './parameter-field'

interface ParameterFieldsProps {
  readonly parameters: Parameters
  readonly onChange: (change: Partial<Parameters>) => void
}

const wholeNumbers = { max_tokens: { min: 1 }, seed: { min: 0 } } as const
const maxStops = 4
const ranged: readonly RangedParameter[] = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

/** The parameters of a call; disabled ones are not sent. */
export function ParameterFields({ parameters, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('playground')
  const { stop, json, schema, tools } = parameters
  return (
    <Stack gap="sm">
      {ranged.map((name) => (
        <RangeField
          key={name}
          name={name}
          {...ranges[name]}
          {...parameters[name]}
          onChange={(next) => onChange({ [name]: next })}
        />
      ))}
      {(['max_tokens', 'seed'] as const).map((name) => (
        <ParameterField
          key={name}
          name={name}
          isOn={parameters[name].isOn}
          onSwitch={(isOn) => onChange({ [name]: { ...parameters[name], isOn } })}
        >
          <NumberInput
            aria-label={t(`parameter.${name}`)}
            size="xs"
            allowDecimal={false}
            min={wholeNumbers[name].min}
            value={parameters[name].value}
            onChange={(value) => {
              const requested = Number(value)
              // The specification's 0 is the default: off.
              const isOn = name === 'seed' || requested > 0
              if (value !== '') onChange({ [name]: { isOn, value: Math.max(wholeNumbers[name].min, requested) } })
            }}
          />
        </ParameterField>
      ))}
      <ParameterField name="stop" isOn={stop.isOn} onSwitch={(isOn) => onChange({ stop: { ...stop, isOn } })}>
        <TagsField
          splitChars={[',']}
          aria-label={t('parameter.stop')}
          size="xs"
          maxTags={maxStops}
          value={stop.value}
          onChange={(value) => onChange({ stop: { ...stop, value } })}
        />
      </ParameterField>
      <ParameterField name="json" isOn={json.isOn} onSwitch={(isOn) => onChange({ json: { isOn } })} />
      <JsonParameter name="schema" {...schema} read={readSchema} example={exampleSchema} onChange={onChange} />
      <JsonParameter name="tools" {...tools} read={readTools} example={exampleTools} onChange={onChange} />
    </Stack>
  )
}
