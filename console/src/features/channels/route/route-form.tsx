import { TextInput } from '@mantine/core'
import { useState } from 'react'

import { GroupSelect } from '../../../components/combobox/group-select'
import { ModelSelect } from '../../../components/combobox/model-select'
import { UserSelect } from '../../../components/combobox/user-select'
import { useTranslation } from '../../../lib/text/i18n'
import type { RouteSearch } from './route-search'
import classes from './route.module.css'

interface RouteFormProps {
  readonly search: RouteSearch
  readonly onChange: (change: Partial<RouteSearch>) => void
}

/** The call in question: a model and its caller. */
export function RouteForm({ search: { model, group, user, token }, onChange }: RouteFormProps) {
  const { t } = useTranslation('routing')
  return (
    <div className={classes.form} role="search" aria-label={t('title')}>
      <ModelSelect
        of="site"
        label={t('model')}
        value={model ?? null}
        onChange={(next) => onChange({ model: next ?? undefined })}
        free={(text) => ({ value: text, label: text, hint: t('anyModel') })}
        withAsterisk
      />
      <GroupSelect
        label={t('group')}
        placeholder={t('ownGroup')}
        value={group ?? null}
        onChange={(next) => onChange({ group: next ?? undefined })}
        isClearable
      />
      <UserSelect
        label={t('user')}
        placeholder={t('anyUser')}
        value={user ?? null}
        onChange={(next) => onChange({ user: next ?? undefined })}
        isClearable
      />
      <TokenField key={token} value={token} onChange={(next) => onChange({ token: next })} />
    </div>
  )
}

interface TokenFieldProps {
  readonly value: string | undefined
  readonly onChange: (token: string | undefined) => void
}

/** Other users' tokens are not listed: they are given by name along with the user, or by id from the log. */
function TokenField({ value = '', onChange }: TokenFieldProps) {
  const { t } = useTranslation('routing')
  const [typed, setTyped] = useState(value)
  const save = () => typed.trim() !== value && onChange(typed.trim() || undefined)
  return (
    <TextInput
      label={t('token')}
      placeholder={t('anyToken')}
      autoComplete="off"
      maxLength={255}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  )
}
