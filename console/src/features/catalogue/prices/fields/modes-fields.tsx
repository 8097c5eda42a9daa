import { NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { modeFields } from '@tollgate/contract'

import { EntryList } from '../entry-list'
import { useTranslation } from '../../../../lib/text/i18n'
import { newMode } from '../entry-form'
import { ClassFields, type EntryForm } from './class-fields'
import { TiersFields } from './tiers-fields'

const examples = {
  service_tier: 'priority',
  speed: 'fast',
  region: 'us',
  batch: 'true',
  size: '1792x1024',
  quality: 'hd',
} as const

/** Service modes with prices of their own. */
export function ModesFields({ form }: { readonly form: EntryForm }) {
  const { t } = useTranslation('prices')
  const { modes } = form.values
  return (
    <EntryList
      hint={t('drawer.modesHint')}
      addLabel={t('drawer.addMode')}
      removeLabel={t('drawer.removeMode')}
      count={modes.length}
      onAdd={() => form.insertListItem('modes', newMode())}
      onRemove={(index) => form.removeListItem('modes', index)}
      head={(index) => (
        <>
          <TextInput size="xs" flex={1} label={t('drawer.name')} {...form.getInputProps(`modes.${index}.name`)} />
          <NumberInput
            size="xs"
            w={130}
            label={t('drawer.factor')}
            min={0}
            step={0.1}
            decimalScale={4}
            {...form.getInputProps(`modes.${index}.factor`)}
          />
        </>
      )}
    >
      {(index) => (
        <>
          <Text size="xs" c="dimmed" mb={4}>
            {t('drawer.match')}
          </Text>
          <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
            {modeFields.map((field) => (
              <TextInput
                key={field}
                size="xs"
                label={field}
                placeholder={examples[field]}
                {...form.getInputProps(`modes.${index}.${field}`)}
              />
            ))}
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt="sm" mb={4}>
            {t('drawer.modePrices')}
          </Text>
          <ClassFields form={form} path={`modes.${index}.prices`} isShort />
          <Text size="xs" c="dimmed" mt="sm" mb={4}>
            {t('drawer.tiers')}
          </Text>
          <TiersFields form={form} path={`modes.${index}.tiers`} tiers={modes[index]?.tiers ?? []} />
        </>
      )}
    </EntryList>
  )
}
