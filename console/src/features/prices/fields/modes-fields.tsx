import { ActionIcon, Button, Group, NumberInput, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { modeFields } from '@tollgate/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'

import { useTranslation } from '../../../lib/i18n'
import { newMode } from '../entry-form'
import { ClassFields, type EntryForm } from './class-fields'
import { TiersFields } from './tiers-fields'

const examples = { service_tier: 'priority', speed: 'fast', region: 'us', batch: 'true' } as const

/** Ways of being served that have a price of their own. */
export function ModesFields({ form }: { readonly form: EntryForm }) {
  const { t } = useTranslation('prices')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('drawer.modesHint')}
      </Text>
      {form.values.modes.map((mode, place) => {
        const path = `modes.${place}`
        return (
          <Paper key={place} withBorder p="sm">
            <Group align="flex-start" wrap="nowrap" gap="sm">
              <TextInput size="xs" flex={1} label={t('drawer.name')} {...form.getInputProps(`${path}.name`)} />
              <NumberInput
                size="xs"
                w={130}
                label={t('drawer.factor')}
                min={0}
                step={0.1}
                decimalScale={4}
                {...form.getInputProps(`${path}.factor`)}
              />
              <ActionIcon aria-label={t('drawer.removeMode')} onClick={() => form.removeListItem('modes', place)}>
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
            <Text size="xs" c="dimmed" mt="xs" mb={4}>
              {t('drawer.match')}
            </Text>
            <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
              {modeFields.map((field) => (
                <TextInput
                  key={field}
                  size="xs"
                  label={field}
                  placeholder={examples[field]}
                  {...form.getInputProps(`${path}.${field}`)}
                />
              ))}
            </SimpleGrid>
            <Text size="xs" c="dimmed" mt="sm" mb={4}>
              {t('drawer.modePrices')}
            </Text>
            <ClassFields form={form} path={`${path}.prices`} isShort />
            <Text size="xs" c="dimmed" mt="sm" mb={4}>
              {t('drawer.tiers')}
            </Text>
            <TiersFields form={form} path={`${path}.tiers`} tiers={mode.tiers} />
          </Paper>
        )
      })}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem('modes', newMode())}
        >
          {t('drawer.addMode')}
        </Button>
      </div>
    </Stack>
  )
}
