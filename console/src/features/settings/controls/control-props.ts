import type { InputWrapperProps } from '@mantine/core'
import type { Option } from '@tollgate/contract'

/** Props of an option's control. */
export interface ControlProps {
  readonly option: Pick<Option, 'kind' | 'unit' | 'format' | 'entries' | 'names' | 'choices' | 'editor'>
  /** The option's text as stored. */
  readonly value: string
  readonly onChange: (text: string) => void
  /** Label, help, error and layout classes. */
  readonly field: Pick<InputWrapperProps, 'description' | 'error'> & {
    readonly label: string
    readonly size: 'sm'
    readonly classNames: Partial<Record<'root' | 'label' | 'description' | 'error', string>>
  }
  readonly isDisabled: boolean
  /** For secrets: whether one is stored. */
  readonly isSet: boolean
  readonly choiceLabel: (choice: string) => string
}
