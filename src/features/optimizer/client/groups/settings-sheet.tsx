import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { useToday } from '#client/api/server-clock.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { dayIn } from '#shared/time.ts'
import { type OptimizerGroup, optimizerEndpoints } from '../../contract.ts'
import { optimizerQueries } from '../queries.ts'
import {
  LimitFields,
  MoneyFields,
  settingErrors,
  settingsOf,
  type SettingValues,
  StrategyFields,
  TargetFields,
} from '../settings-fields.tsx'

interface SettingsSheetProps {
  group: OptimizerGroup
  shop: Shop
  onClose: () => void
}

/** Changes the settings of a group; only what differs is sent. */
export function SettingsSheet({ group, shop, onClose }: SettingsSheetProps) {
  const client = useQueryClient()
  const online = useOnline()
  const today = useToday(at => dayIn(at, group.timezone))
  const [stored] = useState(() => valuesOf(group))
  const [values, setValues] = useState(stored)
  const errors = settingErrors(values)
  const [before, after] = [settingsOf(stored), settingsOf(values)]
  const changed = Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
    ),
  )
  const save = useMutation({
    mutationFn: () =>
      call(optimizerEndpoints.update, { params: { id: group.id }, body: changed }, { shop: shopText(shop) }),
    onSuccess: () => {
      toast({ title: 'Settings saved', message: 'They hold from the next run on.', tone: 'success' })
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: optimizerQueries.all }),
    meta: { errorTitle: 'The settings were not saved' },
  })
  const fields = {
    values,
    errors,
    onChange: (change: Partial<SettingValues>) => setValues(previous => ({ ...previous, ...change })),
  }
  const isChanged = Object.keys(changed).length > 0
  const hasErrors = Object.keys(errors).length > 0
  return (
    <Sheet
      open
      title="Settings of the group"
      onClose={onClose}
      footer={
        <Button
          tone="primary"
          block
          disabled={!online || !isChanged || hasErrors}
          busy={save.isPending}
          busyLabel="Saving…"
          onClick={() => save.mutate()}
        >
          Save settings
        </Button>
      }
    >
      <TextField
        label="Name"
        name="name"
        value={values.name}
        error={errors.name}
        onChange={name => fields.onChange({ name })}
      />
      <TargetFields {...fields} />
      <StrategyFields {...fields} today={today} currency={group.currency} />
      <MoneyFields {...fields} currency={group.currency} />
      <LimitFields {...fields} />
    </Sheet>
  )
}

const valuesOf = (group: OptimizerGroup): SettingValues => ({
  name: group.name,
  targetAcos: group.targetAcos,
  strategy: group.strategy,
  dailyBudget: group.dailyBudget,
  highestBid: group.highestBid,
  launchUntil: group.launchUntil ?? '',
  launchBudget: group.launchBudget,
  untouched: group.untouched.join('\n'),
  asks: group.asks,
})
