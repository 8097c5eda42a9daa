import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronUp, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react'
import { windowRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { Tip } from '../../components/tip'
import { focusFirstFault } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { nowSeconds } from '../../lib/text/use-now'
import { LimitBar } from './limit-bar'
import { LimitFields } from './limit-fields'
import {
  faultsOf,
  namesOf,
  newLimit,
  settingsOf,
  startsOver,
  useLimitsForm,
  useProposedName,
  type LimitsForm,
  type LimitValues,
} from './limit-form'
import type { EditedOwner, LimitSettings } from './limits-data'
import type { Standing } from './standings-data'
import classes from './limits.module.css'
import { useLimitText } from './use-limit-text'

/** The state of an editor of all limits of an owner. */
export function useLimitsEditor(windows: readonly LimitSettings[], owner: windowRoutes.WindowOwner) {
  const form = useLimitsForm(windows)
  const [openKey, setOpenKey] = useState<string>()
  const limits = form.values.windows
  const names = namesOf(limits, useProposedName(owner))
  return {
    form,
    /** As they were. */
    windows,
    names,
    openKey,
    setOpenKey,
    /** Returns what is sent. */
    settings: () => limits.map((values, index) => settingsOf(values, names[index] ?? '')),
    /** Opens the first limit that has a fault, by the paths of faults. */
    showFaults: (errors: Readonly<Record<string, unknown>>) => {
      const [first] = Object.keys(errors)
      setOpenKey(limits[Number(first?.split('.')[1])]?.key)
      focusFirstFault(errors)
    },
  }
}

interface LimitsEditorProps {
  readonly editor: ReturnType<typeof useLimitsEditor>
  readonly owner: EditedOwner
  readonly standings?: readonly Standing[]
  readonly isReadOnly?: boolean
}

/** All limits of an owner, one of which is open. */
export function LimitsEditor({ editor, owner, standings = [], isReadOnly = false }: LimitsEditorProps) {
  const { t } = useTranslation('limits')
  const { form, windows, names, openKey, setOpenKey } = editor
  const limits = form.values.windows
  const isFull = limits.length >= windowRoutes.maxWindows
  const add = () => {
    const added = newLimit(owner.owner)
    form.insertListItem('windows', added)
    setOpenKey(added.key)
  }
  return (
    <>
      {limits.length > 0 && (
        <div>
          {limits.map((values, index) => (
            <LimitRow
              key={values.key}
              form={form}
              index={index}
              values={values}
              owner={owner}
              name={names[index] ?? ''}
              before={windows.find(({ id }) => id === values.id)}
              standing={standings.find(({ id }) => id === values.id)}
              isOpen={values.key === openKey}
              isReadOnly={isReadOnly}
              onToggle={() => setOpenKey(values.key === openKey ? undefined : values.key)}
            />
          ))}
        </div>
      )}
      {limits.length === 0 && <Text size="sm">{t('none')}</Text>}
      {!isReadOnly && (
        <Group gap={8}>
          <Button variant="default" leftSection={<IconPlus size={14} />} disabled={isFull} onClick={add}>
            {t('add')}
          </Button>
          {isFull && (
            <Text size="xs" c="dimmed">
              {t('full', { count: windowRoutes.maxWindows })}
            </Text>
          )}
        </Group>
      )}
    </>
  )
}

interface LimitRowProps {
  readonly form: LimitsForm
  readonly index: number
  readonly values: LimitValues
  readonly owner: EditedOwner
  readonly name: string
  /** As it is stored; undefined for a new one. */
  readonly before: LimitSettings | undefined
  readonly standing: Standing | undefined
  readonly isOpen: boolean
  readonly isReadOnly: boolean
  readonly onToggle: () => void
}

/** A limit in a line or two, and its fields while it is edited. */
function LimitRow(props: LimitRowProps) {
  const { form, index, values, owner, name, before, standing, isOpen, isReadOnly, onToggle } = props
  const { t } = useTranslation('limits')
  const text = useLimitText()
  const isComplete = faultsOf(values, nowSeconds()).every(([field]) => field === 'ends_at' && before)
  const settings = isComplete ? settingsOf(values, name) : undefined
  const isOther = startsOver(before, values)
  const toggle = t(isOpen ? 'closeOne' : 'editOne', { name })
  const remove = t('remove', { name })
  return (
    <section className={classes.limit} aria-label={name}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="figures">
            {settings ? [text.summary(settings), ...text.notes(settings)].join(' · ') : t('new')}
          </Text>
        </div>
        {!isReadOnly && (
          <Group gap={0} wrap="nowrap">
            <Tip label={toggle}>
              <ActionIcon aria-label={toggle} aria-expanded={isOpen} onClick={onToggle}>
                {isOpen ? <IconChevronUp size={16} /> : <IconEdit size={16} />}
              </ActionIcon>
            </Tip>
            <Tip label={remove}>
              <ActionIcon aria-label={remove} onClick={() => form.removeListItem('windows', index)}>
                <IconTrash size={16} />
              </ActionIcon>
            </Tip>
          </Group>
        )}
      </div>
      {standing && !isOther && <LimitBar standing={standing} name="" />}
      {isOpen && (
        <LimitFields
          form={form}
          index={index}
          values={values}
          owner={owner}
          proposedName={values.name.trim() === '' ? name : ''}
          startsOver={isOther}
        />
      )}
    </section>
  )
}
