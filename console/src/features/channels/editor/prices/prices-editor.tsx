import * as z from 'zod'
import { Alert, Button, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { channelPriceRoutes } from '@tollgate/contract'
import { IconLock, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

import classes from './prices.module.css'
import { useSecondLook } from '../../../../components/dialogs/use-second-look'
import { PageSteps } from '../../../../components/page/page-steps'
import { useTranslation } from '../../../../lib/text/i18n'
import { notifySuccess } from '../../../../lib/browser/notify'
import { exactPriceText } from '../../../../lib/text/prices'
import { useViewer } from '../../../../lib/api/session'
import { StoredValue, useStored } from '../../../../lib/browser/stored-value'
import { AddModel } from './add-model'
import { BatchPrices } from './batch-prices'
import { blankDraft, draftOf, hasFaults, withReset } from './price-draft'
import type { PriceDraft } from './price-parts'
import { PriceRow } from './price-row'
import { usePricedByOperator, useSavePrices } from './use-save-prices'
import { isUnusual } from '../../../../lib/text/unusual'
import { numberOf } from './price-conversion'

/** The specification's page size of the visual price editor. */
const pageSize = 10

const storedHasParts = new StoredValue('price-parts', z.boolean(), true)

interface PricesEditorProps {
  readonly prices: readonly channelPriceRoutes.ModelPrice[]
  readonly onDirty: (isDirty: boolean) => void
  readonly onSaved: () => void
  readonly onCancel: () => void
}

/** A row for each model, those without a price first. Read-only without the grant. */
export function PricesEditor({ prices, onDirty, onSaved, onCancel }: PricesEditorProps) {
  const { t } = useTranslation('channel-editor')
  const mayPrice = useViewer().may('prices.write')
  const [unpriced, setUnpriced] = useState(
    () => new Set(prices.filter(({ kind }) => kind === 'unpriced').map(({ model }) => model)),
  )
  const [drafts, setDrafts] = useState(() => firstUnpriced(prices))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [hasParts, setHasParts] = useStored(storedHasParts)
  const change = (next: readonly PriceDraft[]) => {
    setDrafts(next)
    onDirty(next.some(({ isChanged }) => isChanged))
  }
  const replace = (draft: PriceDraft) => change(drafts.map((one) => (one.model === draft.model ? draft : one)))
  const select = (models: readonly string[], isSelected: boolean) =>
    setSelected(
      (before) => new Set(isSelected ? [...before, ...models] : [...before].filter((one) => !models.includes(one))),
    )
  const pricedByOperator = usePricedByOperator()
  const save = useSavePrices(() => {
    notifySuccess(t('prices.saved'))
    onSaved()
  })
  const { isMeant, dialog } = useSecondLook()
  const saveAll = async () => {
    const unusual = unusualDrafts(drafts, prices).map(({ model, field, price }) => ({
      name: `${model}: ${t(`prices.${field}`)}`,
      amount: exactPriceText(price),
    }))
    if (await isMeant(unusual)) save.mutate(drafts)
  }
  const found = drafts.filter(({ model }) => model.toLowerCase().includes(search.trim().toLowerCase()))
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const shown = found.slice((Math.min(page, pages) - 1) * pageSize, Math.min(page, pages) * pageSize)
  const changed = drafts.filter(({ isChanged }) => isChanged)
  const faulty = drafts.filter(hasFaults).length
  return (
    <Stack gap="sm">
      {dialog}
      {!mayPrice && (
        <Alert color="gray" icon={<IconLock size={16} />}>
          {t('prices.readOnly')}
        </Alert>
      )}
      <Group gap={8} justify="space-between">
        <TextInput
          size="xs"
          w={240}
          aria-label={t('prices.search')}
          placeholder={t('prices.search')}
          leftSection={<IconSearch size={14} />}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setPage(1)
          }}
        />
        <Switch
          size="xs"
          label={t('prices.parts')}
          checked={hasParts}
          onChange={({ currentTarget }) => setHasParts(currentTarget.checked)}
        />
        {mayPrice && (
          <AddModel
            taken={drafts.map(({ model }) => model)}
            onAdd={(model) => {
              setUnpriced(new Set([...unpriced, model]))
              change([blankDraft(model), ...drafts])
              setSearch('')
              setPage(1)
            }}
          />
        )}
      </Group>
      {mayPrice && <BatchPrices drafts={drafts} selected={selected} onChange={change} />}
      <div className={classes.table}>
        <div className={classes.head}>
          {mayPrice ? (
            <Checkbox
              size="xs"
              aria-label={t('prices.selectAll', { count: found.length })}
              checked={found.length > 0 && found.every(({ model }) => selected.has(model))}
              indeterminate={
                found.some(({ model }) => selected.has(model)) && !found.every(({ model }) => selected.has(model))
              }
              onChange={(event) =>
                select(
                  found.map(({ model }) => model),
                  event.currentTarget.checked,
                )
              }
            />
          ) : (
            <span />
          )}
          {(['model', 'kind', 'input', 'output', 'ratio', 'completion'] as const).map((column) => (
            <span key={column}>{t(`prices.${column}`)}</span>
          ))}
        </div>
        {shown.map((draft) => (
          <PriceRow
            key={draft.model}
            draft={draft}
            isUnpriced={unpriced.has(draft.model) && !draft.isChanged}
            isReadOnly={!mayPrice}
            isSelected={selected.has(draft.model)}
            hasParts={hasParts}
            onSelect={(isSelected) => select([draft.model], isSelected)}
            onReset={pricedByOperator.has(draft.model) ? () => replace(withReset(draft)) : undefined}
            onChange={replace}
          />
        ))}
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" py="lg" ta="center">
            {t('nothingFound')}
          </Text>
        )}
      </div>
      <Group justify="space-between" gap={8}>
        {pages > 1 && <PageSteps page={Math.min(page, pages)} last={pages} onChange={setPage} />}
        <Group gap={8} ml="auto">
          <Text size="sm" c="dimmed" className="figures">
            {changed.length > 0 && t('prices.changed', { count: changed.length })}
          </Text>
          {faulty > 0 && (
            <Text size="sm" c="var(--mantine-color-error)" className="figures">
              {t('prices.faulty', { count: faulty })}
            </Text>
          )}
          <Button variant="default" onClick={onCancel}>
            {t(mayPrice ? 'common:cancel' : 'common:close')}
          </Button>
          {mayPrice && (
            <Button
              disabled={changed.length === 0 || faulty > 0}
              loading={save.isPending}
              onClick={() => void saveAll()}
            >
              {t('common:save')}
            </Button>
          )}
        </Group>
      </Group>
    </Stack>
  )
}

/** Models without a price come first; otherwise the channel's order stays. */
const firstUnpriced = (prices: readonly channelPriceRoutes.ModelPrice[]): readonly PriceDraft[] =>
  prices.toSorted((a, b) => Number(b.kind === 'unpriced') - Number(a.kind === 'unpriced')).map(draftOf)

/** In dollars, of a model without a price so far: for a million tokens, or a request. */
const usualPrice = 1

/** Returns the changed prices that are far above those before. */
function unusualDrafts(drafts: readonly PriceDraft[], before: readonly channelPriceRoutes.ModelPrice[]) {
  const known = new Map(before.map((price) => [price.model, draftOf(price)]))
  return drafts
    .filter(({ isChanged, isBaseChanged, isReset }) => isChanged && isBaseChanged && !isReset)
    .flatMap((draft) =>
      (draft.kind === 'per-call' ? (['fixed'] as const) : (['input', 'output'] as const)).flatMap((field) => {
        const price = numberOf(draft[field]) ?? 0
        const usual = numberOf(known.get(draft.model)?.[field] ?? '') || usualPrice
        return isUnusual(price, usual) ? [{ model: draft.model, field, price }] : []
      }),
    )
}
