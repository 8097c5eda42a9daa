import { ChoiceSelect } from '../../../components/fields/choice-select'
import type { ControlProps } from './control-props'

export function ChoiceControl({ option, field, value, onChange, isDisabled, choiceLabel }: ControlProps) {
  return (
    <ChoiceSelect
      {...field}
      value={value}
      onChange={onChange}
      choices={(option.choices ?? []).map((choice) => ({ value: choice, label: choiceLabel(choice) }))}
      disabled={isDisabled}
    />
  )
}
