import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { formatDay, formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type Shop, shopText, useMayChange } from '#features/accounts/client/public.ts'
import { type OptimizerGroup, optimizerEndpoints } from '../../contract.ts'
import { askWords, strategyWords } from '../../optimizer-words.ts'
import { optimizerQueries } from '../queries.ts'

const campaignsAddress: string = '/campaigns'

interface SettingsCardProps {
  group: OptimizerGroup
  /** Undefined where they cannot be changed. */
  onChange: (() => void) | undefined
}

/** What the seller set, in the words of the form. */
export function SettingsCard({ group, onChange }: SettingsCardProps) {
  const { currency, targetAcos, strategy, dailyBudget, highestBid, launchUntil, launchBudget, untouched, asks } = group
  const kinds = asks.map(kind => askWords[kind].label).join(', ')
  return (
    <Card title="Settings" aside={onChange && <Button onClick={onChange}>Change settings</Button>}>
      <KeyValue
        items={[
          { label: 'Target ACOS, at most', value: formatPercent(targetAcos, 1) },
          { label: 'Strategy', value: strategyWords[strategy].label },
          ...(launchUntil ? [{ label: 'Launch until', value: formatDay(launchUntil) }] : []),
          ...(launchBudget !== null ? [{ label: 'Launch may cost', value: formatMoney(launchBudget, currency) }] : []),
          { label: 'Total daily budget', value: formatMoney(dailyBudget, currency) },
          {
            label: 'Highest bid',
            value: highestBid === null ? 'No limit' : formatMoney(highestBid, currency),
          },
          {
            label: group.asksUntil ? `Asks first until ${formatDay(group.asksUntil)}` : 'Asks first about',
            value: kinds || 'Nothing',
          },
          ...group.taught.map(kind => ({
            label: 'Asks first, after three undos',
            value: askWords[kind].label,
          })),
          { label: 'Never touched', value: untouched.length > 0 ? untouched.join(', ') : 'Nothing' },
        ]}
      />
    </Card>
  )
}

/** The campaigns of the group with their budgets of today; each can leave it alone. */
export function Members({ group, shop }: { group: OptimizerGroup; shop: Shop }) {
  const client = useQueryClient()
  const online = useOnline()
  const mayChange = useMayChange()
  const leave = useMutation({
    mutationFn: (campaignId: number) =>
      call(optimizerEndpoints.stopCampaign, { query: { campaignId } }, { shop: shopText(shop) }),
    onSuccess: () => void toast({ title: 'The campaign left the group', message: 'Its values stay as they are.' }),
    onSettled: () => client.invalidateQueries({ queryKey: optimizerQueries.all }),
    meta: { errorTitle: 'Failed to stop optimization' },
  })
  const ask = async (id: number, name: string): Promise<void> => {
    const message = `${name} keeps the values it has now. The other campaigns stay in the group.`
    if (await confirm({ title: 'Take this campaign out?', message, confirmText: 'Take out' })) leave.mutate(id)
  }
  return (
    <Card title={group.campaigns.length === 1 ? 'Campaign' : 'Campaigns'}>
      <ul className="group-members">
        {group.campaigns.map(({ id, name, budget, state }) => (
          <li key={id}>
            <span>
              <Link to={campaignsAddress} search={{ campaign: id } as never} className="list-row-link">
                {name}
              </Link>
              <small>
                {budget === null ? 'No daily budget' : `${formatMoney(budget, group.currency)} a day`}
                {state === 'PAUSED' && ' · paused'}
                {state === 'ARCHIVED' && ' · archived'}
              </small>
            </span>
            {mayChange && online && group.state !== 'STOPPED' && group.campaigns.length > 1 && (
              <RowMenu
                name={name}
                actions={[{ label: 'Take out of the group…', onSelect: () => void ask(id, name) }]}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
