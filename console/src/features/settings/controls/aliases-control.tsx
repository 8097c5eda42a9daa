import { ActionIcon, Button, Checkbox, Group, Input, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { callNeeds } from '@tollgate/contract'

import { GroupsSelect } from '../../../components/combobox/groups-select'
import { ModelSelect } from '../../../components/combobox/model-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useTyped } from '../../../lib/text/use-typed'
import classes from '../settings.module.css'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { aliasesOf, aliasText, emptyRule, emptyTarget, type TypedAlias, type TypedRule } from './model-names'

/** Edits aliases: for each its rules, and the models of each rule. */
export function AliasesControl(props: ControlProps) {
  const { field, value, onChange, isDisabled } = props
  const { t } = useTranslation('model-names')
  const [aliases, setAliases] = useTyped(value, onChange, {
    show: aliasesOf,
    read: (typed: readonly TypedAlias[] | undefined) => aliasText(typed ?? []),
  })
  if (!aliases) return <CodeControl {...props} />
  return (
    <Input.Wrapper {...field} labelElement="div">
      <Stack gap="md" className={classes.editor}>
        {aliases.map((alias, at) => (
          // Aliases have no identity but their place while their names are typed.
          <div key={at} className={classes.named}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <TextInput
                size="xs"
                flex={1}
                label={t('alias')}
                value={alias.name}
                onChange={(event) => setAliases(aliases.with(at, { ...alias, name: event.currentTarget.value }))}
                disabled={isDisabled}
              />
              <Remove
                label={t('removeAlias', { name: alias.name || at + 1 })}
                onClick={() => setAliases(aliases.filter((_, index) => index !== at))}
                isDisabled={isDisabled}
              />
            </Group>
            {alias.rules.map((rule, index) => (
              <RuleFields
                key={index}
                place={index + 1}
                rule={rule}
                onChange={(changed) =>
                  setAliases(
                    aliases.with(at, {
                      ...alias,
                      rules: changed ? alias.rules.with(index, changed) : alias.rules.filter((one) => one !== rule),
                    }),
                  )
                }
                isOnly={alias.rules.length === 1}
                isDisabled={isDisabled}
              />
            ))}
            <Add
              text={t('addRule')}
              onClick={() => setAliases(aliases.with(at, { ...alias, rules: [...alias.rules, emptyRule] }))}
              isDisabled={isDisabled}
            />
          </div>
        ))}
        <Add
          text={t('addAlias')}
          onClick={() => setAliases([...aliases, { name: '', rules: [emptyRule] }])}
          isDisabled={isDisabled}
        />
      </Stack>
    </Input.Wrapper>
  )
}

interface RuleFieldsProps {
  /** Counted from 1. */
  readonly place: number
  readonly rule: TypedRule
  /** Null: the rule is removed. */
  readonly onChange: (rule: TypedRule | null) => void
  /** An alias has at least one. */
  readonly isOnly: boolean
  readonly isDisabled: boolean
}

function RuleFields({ place, rule, onChange, isOnly, isDisabled }: RuleFieldsProps) {
  const { t } = useTranslation('model-names')
  const figure = (name: 'min_tokens' | 'max_tokens' | 'from' | 'to') => (
    <TextInput
      size="xs"
      w={110}
      inputMode="numeric"
      label={t(`rule.${name}`)}
      value={rule[name]}
      onChange={(event) => onChange({ ...rule, [name]: event.currentTarget.value })}
      disabled={isDisabled}
    />
  )
  return (
    <fieldset className={classes.rule}>
      <legend>
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            {t('rule.title', { place })}
          </Text>
          {!isOnly && (
            <Remove label={t('rule.remove', { place })} onClick={() => onChange(null)} isDisabled={isDisabled} />
          )}
        </Group>
      </legend>
      <Group gap="xs" align="flex-end">
        <div className={classes.ruleGroups}>
          <GroupsSelect
            size="xs"
            label={t('rule.groups')}
            placeholder={rule.groups.length === 0 ? t('rule.allGroups') : undefined}
            value={rule.groups}
            onChange={(groups) => onChange({ ...rule, groups })}
            disabled={isDisabled}
          />
        </div>
        {figure('min_tokens')}
        {figure('max_tokens')}
        {figure('from')}
        {figure('to')}
        <Checkbox.Group
          size="xs"
          label={t('rule.needs')}
          value={[...rule.needs]}
          onChange={(needs) => onChange({ ...rule, needs: callNeeds.filter((need) => needs.includes(need)) })}
        >
          <Group gap="sm" h={30}>
            {callNeeds.map((need) => (
              <Checkbox key={need} size="xs" value={need} label={t(`rule.need.${need}`)} disabled={isDisabled} />
            ))}
          </Group>
        </Checkbox.Group>
      </Group>
      {rule.targets.map((target, at) => {
        const write = (changed: Partial<typeof target>) =>
          onChange({ ...rule, targets: rule.targets.with(at, { ...target, ...changed }) })
        return (
          <Group key={at} gap="xs" wrap="nowrap" mt="xs" align="flex-end">
            <ModelSelect
              of="site"
              size="xs"
              flex={1}
              label={t('rule.model')}
              value={target.model}
              onChange={(model) => write({ model: model ?? '' })}
              free={(text) => ({ value: text, label: text })}
              disabled={isDisabled}
            />
            <TextInput
              size="xs"
              w={80}
              inputMode="numeric"
              label={t('rule.weight')}
              value={target.weight}
              onChange={(event) => write({ weight: event.currentTarget.value })}
              disabled={isDisabled}
            />
            <Remove
              label={t('rule.removeModel', { name: target.model || at + 1 })}
              onClick={() => onChange({ ...rule, targets: rule.targets.filter((_, index) => index !== at) })}
              isDisabled={isDisabled || rule.targets.length === 1}
            />
          </Group>
        )
      })}
      <Add
        text={t('rule.addModel')}
        onClick={() => onChange({ ...rule, targets: [...rule.targets, emptyTarget] })}
        isDisabled={isDisabled}
      />
    </fieldset>
  )
}

interface ActProps {
  readonly onClick: () => void
  readonly isDisabled: boolean
}

export const Remove = ({ label, onClick, isDisabled }: ActProps & { readonly label: string }) => (
  <ActionIcon aria-label={label} onClick={onClick} disabled={isDisabled}>
    <IconX size={15} />
  </ActionIcon>
)

export const Add = ({ text, onClick, isDisabled }: ActProps & { readonly text: string }) => (
  <Button
    variant="default"
    size="xs"
    mt="xs"
    leftSection={<IconPlus size={14} />}
    onClick={onClick}
    disabled={isDisabled}
    style={{ justifySelf: 'start', alignSelf: 'flex-start' }}
  >
    {text}
  </Button>
)
