import { Anchor, Button, Checkbox, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { givableGrants, role, userRoutes, type Grant } from '@tollgate/contract'
import { useId, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { ChoiceSelect } from '../../components/fields/choice-select'
import { choiceOf, choices, grantsOfChoice, withGrant } from '../../domain/grant-choice'

interface GrantsSectionProps {
  readonly user: userRoutes.UserEntity
}

const custom = 'custom' as const

/** The grants of an administrator or user, editable by the super admin; empty for other readers. */
export function GrantsSection({ user }: GrantsSectionProps) {
  const { may } = useViewer()
  if (!may('rights.write') || user.DeletedAt !== null) return null
  // A new response of the server resets the form.
  return <Section key={user.grants.join()} user={user} />
}

function Section({ user }: GrantsSectionProps) {
  const { t } = useTranslation('rights')
  const id = useId()
  const [held, setHeld] = useState<readonly Grant[]>(user.grants)
  const { mutate, isPending } = useWrite(userRoutes.setGrants, {
    changes: [userRoutes.listUsers, userRoutes.searchUsers, userRoutes.getUser],
    onSuccess: () => notifySuccess(t('saved')),
  })
  const isChanged = held.join() !== user.grants.join()
  // A set of grants says it all; each of them only for those who want to choose.
  const [isOpen, setOpen] = useState(choiceOf(held) === undefined)
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <Title order={3} fz="md" id={id}>
        {t('title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(user.role >= role.root ? 'root' : 'hint')}
      </Text>
      {user.role < role.root && (
        <>
          <ChoiceSelect
            label={t('preset')}
            value={choiceOf(held) ?? custom}
            choices={[
              ...choices.map((choice) => ({ value: choice, label: t(`presets.${choice}`) })),
              ...(choiceOf(held) ? [] : [{ value: custom, label: t('custom') }]),
            ]}
            onChange={(choice) => choice !== custom && setHeld(grantsOfChoice(choice))}
          />
          {!isOpen && (
            <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
              {t('each')}
            </Anchor>
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" hidden={!isOpen}>
            {givableGrants.map((grant) => (
              <Checkbox
                key={grant}
                size="sm"
                label={t(`grant.${grant}`)}
                checked={held.includes(grant)}
                onChange={({ currentTarget }) => setHeld(withGrant(held, grant, currentTarget.checked))}
              />
            ))}
          </SimpleGrid>
          {isChanged && (
            <Group>
              <Button
                size="sm"
                loading={isPending}
                onClick={() => mutate({ params: { id: user.id }, body: { grants: [...held] } })}
              >
                {t('save')}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  )
}
