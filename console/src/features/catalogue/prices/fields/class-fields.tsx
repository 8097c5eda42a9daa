import { SimpleGrid, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { tokenClasses, toolClasses, unitClasses, type ClassPrices, type PriceClass } from '@tollgate/contract'

import { DollarInput } from '../../../../components/fields/dollar-input'
import { usePriceText } from '../../../../domain/price/use-price-text'
import { useTranslation } from '../../../../lib/text/i18n'
import { priceOf } from '../../../../lib/text/price-entry/variant'
import { exactPriceText } from '../../../../lib/text/prices'
import type { EntryFields } from '../entry-form'

export type EntryForm = UseFormReturnType<EntryFields>

interface ClassFieldsProps {
  readonly form: EntryForm
  /** Path of the prices in the form. */
  readonly path: string
  /** List prices, shown as placeholders. */
  readonly list?: ClassPrices
  /** For a tier or a mode: only the classes that usually differ there. */
  readonly isShort?: boolean
}

const shortList: readonly PriceClass[] = [
  'input',
  'output',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'audio_in',
  'audio_out',
  'reasoning',
]
const parts = { tokens: tokenClasses, units: unitClasses, tools: toolClasses } as const

/** A price in dollars for each class; empty ones follow from others. */
export function ClassFields({ form, path, list, isShort }: ClassFieldsProps) {
  const { t } = useTranslation('prices')
  if (isShort) return <Fields form={form} path={path} names={shortList} isSmall />
  return (
    <>
      {(['tokens', 'units', 'tools'] as const).map((part) => (
        <section key={part} aria-label={t(`drawer.part.${part}`)}>
          <Text size="xs" c="dimmed" mt="md" mb={4}>
            {t(`drawer.part.${part}`)}
          </Text>
          <Fields form={form} path={path} names={parts[part]} list={list} />
        </section>
      ))}
    </>
  )
}

interface FieldsProps {
  readonly form: EntryForm
  readonly path: string
  readonly names: readonly PriceClass[]
  readonly list?: ClassPrices
  readonly isSmall?: boolean
}

function Fields({ form, path, names, list, isSmall }: FieldsProps) {
  const { t } = useTranslation('prices')
  const { fieldName } = usePriceText()
  const { prices } = form.values
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" verticalSpacing="xs">
      {names.map((name) => {
        const listed = list?.[name]
        const follows = isSmall ? undefined : priceOf(asNumbers(prices), name)
        return (
          <DollarInput
            key={name}
            size="xs"
            label={fieldName(name)}
            placeholder={follows === undefined ? undefined : `$${Number(follows.toPrecision(6))}`}
            description={listed === undefined ? undefined : t('drawer.listed', { price: exactPriceText(listed) })}
            inputWrapperOrder={['label', 'input', 'description']}
            {...form.getInputProps(`${path}.${name}`)}
            error={Boolean(form.errors[`${path}.${name}`])}
            data-autofocus={(path === 'prices' && name === 'input') || undefined}
          />
        )
      })}
    </SimpleGrid>
  )
}

const asNumbers = (fields: Partial<Record<PriceClass, number | string>>): ClassPrices =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, typed]) => (typed === '' ? [] : [[name, Number(typed)]])))
