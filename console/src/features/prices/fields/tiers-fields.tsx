import { ActionIcon, Button, Group, NumberInput, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'

import { useTranslation } from '../../../lib/i18n'
import { newTier, type TierFields } from '../entry-form'
import { ClassFields, type EntryForm } from './class-fields'

interface TiersFieldsProps {
  readonly form: EntryForm
  /** `tiers`, or those of a mode. */
  readonly path: string
  readonly tiers: readonly TierFields[]
}

/** Prices of long inputs: the whole call costs them once its input is longer. */
export function TiersFields({ form, path, tiers }: TiersFieldsProps) {
  const { t } = useTranslation('prices')
  return (
    <Stack gap="sm">
      {path === 'tiers' && (
        <Text size="sm" c="dimmed">
          {t('drawer.tiersHint')}
        </Text>
      )}
      {tiers.map((_, place) => (
        <Paper key={place} withBorder p="sm">
          <Group justify="space-between" align="flex-start" wrap="nowrap" mb="xs">
            <NumberInput
              size="xs"
              w={200}
              label={t('drawer.above')}
              thousandSeparator=","
              allowNegative={false}
              allowDecimal={false}
              hideControls
              {...form.getInputProps(`${path}.${place}.above`)}
            />
            <ActionIcon aria-label={t('drawer.removeTier')} onClick={() => form.removeListItem(path, place)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          <ClassFields form={form} path={`${path}.${place}.prices`} isShort />
        </Paper>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem(path, newTier())}
        >
          {t('drawer.addTier')}
        </Button>
      </div>
    </Stack>
  )
}
