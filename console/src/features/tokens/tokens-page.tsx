import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconPlus, IconEye, IconInfoCircle } from '@tabler/icons-react'
import type { tokenRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import classes from './tokens.module.css'
import { FocusBack } from '../../components/focus-back'
import { OnboardingChecklist } from '../../domain/onboarding/onboarding-checklist'
import { useIsGuided } from '../../domain/onboarding/use-is-guided'
import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/text/i18n'
import type { Occasion } from './created-dialog'
import type { TokenSearch } from './token-search'
import { TokensTable } from './tokens-table'
import type { Created } from './use-save-token'
import { useSite } from '../../lib/api/status'

const TokenDrawer = lazy(async () => ({ default: (await import('./token-drawer')).TokenDrawer }))
const CreatedDialog = lazy(async () => ({ default: (await import('./created-dialog')).CreatedDialog }))

const TokenLimits = lazy(async () => ({ default: (await import('./token-limits')).TokenLimits }))
const RotateDialog = lazy(async () => ({ default: (await import('./rotate-dialog')).RotateDialog }))

type Token = tokenRoutes.TokenEntity

const route = getRouteApi('/app/tokens')

/** API tokens, with which the user's programs call the gateway. */
export function TokensPage() {
  const { t } = useTranslation('tokens')
  const search = route.useSearch()
  const isGuided = useIsGuided()
  const navigate = route.useNavigate()
  const setSearch = (change: Partial<TokenSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...change }) })
  // Keys never appear in the address.
  const [shown, setShown] = useState<{ readonly created: Created; readonly occasion: Occasion } | undefined>()
  const show = (token: Token, occasion: Occasion) => setShown({ created: { tokens: [token], requested: 1 }, occasion })
  const [rotating, setRotating] = useState<Token | undefined>()
  const close = () => setSearch({ edit: undefined })
  return (
    <>
      <PageHeader title={t('title')}>
        <Button variant="default" renderRoot={(props) => <Link to="/app/connect" {...props} />}>
          {t('connect')}
        </Button>
        <Button
          variant={isGuided ? 'default' : 'filled'}
          leftSection={<IconPlus size={14} />}
          onClick={() => setSearch({ edit: 'new' })}
        >
          {t('create')}
        </Button>
      </PageHeader>
      <OnboardingChecklist>
        <TokenNotes />
        <TokensTable
          search={search}
          setSearch={setSearch}
          onConnect={(token) => show(token, 'opened')}
          onRotate={setRotating}
        />
      </OnboardingChecklist>
      {/* When one dialog follows another, closing the second returns the focus to the opener of the first. */}
      {(search.edit !== undefined || search.limits !== undefined || rotating || shown) && <FocusBack />}
      <Suspense>
        {search.edit !== undefined && (
          <TokenDrawer
            id={search.edit === 'new' ? undefined : Number(search.edit)}
            onClose={close}
            onCreated={(created) => {
              close()
              setShown({ created, occasion: 'created' })
            }}
          />
        )}
        {search.limits !== undefined && (
          <TokenLimits id={search.limits} onClose={() => setSearch({ limits: undefined })} />
        )}
        {rotating && (
          <RotateDialog
            token={rotating}
            onRotated={(token) => {
              setRotating(undefined)
              show(token, 'rotated')
            }}
            onClose={() => setRotating(undefined)}
          />
        )}
        {shown && <CreatedDialog {...shown} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}

/** Advice for users of tokens. */
function TokenNotes() {
  const { t } = useTranslation('tokens')
  const { log_chat_content_enabled: isContentLogged } = useSite()
  return (
    <div className={classes.notes}>
      {isContentLogged && (
        <div className={classes.banner} role="status">
          <IconEye size={18} />
          {t('note.contentLogged')}
        </div>
      )}
      <div className={classes.note}>
        <IconInfoCircle size={15} />
        {t('note.personal')}
      </div>
    </div>
  )
}
