import type { InputWrapperProps } from '@mantine/core'
import type { Option } from '@tollgate/contract'

/** What an option's field is given; a control adds the way to type the value. */
export interface ControlProps {
  readonly option: Pick<Option, 'kind' | 'unit' | 'format' | 'entries' | 'names' | 'choices'>
  /** The option's text, as it would be stored. */
  readonly value: string
  readonly onChange: (text: string) => void
  /** Label, help, fault and the classes that lay them out. */
  readonly field: Pick<InputWrapperProps, 'description' | 'error'> & {
    readonly label: string
    readonly size: 'sm'
    readonly classNames: Partial<Record<'root' | 'label' | 'description' | 'error', string>>
  }
  readonly isDisabled: boolean
  /** Secrets only: whether one is stored. */
  readonly isSet: boolean
  readonly choiceLabel: (choice: string) => string
}
