import './affiliate.css'
import { useQuery } from '@tanstack/react-query'
import { copyOutline, shareSocialOutline } from 'ionicons/icons'
import { type ReactNode, useState } from 'react'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMomentDay, formatMoney } from '#client/ui/figures/format.ts'
import { FieldFrame } from '#client/ui/forms/fields.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Affiliate, Commission, Referral } from '../contract.ts'
import { affiliateQueries } from './queries.ts'

/** The link with which a user recommends Tideline, who followed it, and what that earned. */
export function AffiliatePage() {
  const query = useQuery(affiliateQueries.own())
  return (
    <Page title="Affiliate" status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />} onRefresh={() => query.refetch()}>
      <QueryView
        query={query}
        loading={{ rows: 3, kind: 'card', label: 'Loading your affiliate link' }}
        failedTitle="Your affiliate link could not be loaded"
      >
        {affiliate => (
          <>
            <LinkCard affiliate={affiliate} />
            {affiliate.totals.map(one => (
              <Earnings key={one.currency} {...one} />
            ))}
            {affiliate.referralCount === 0 ? (
              <EmptyState
                title="Nobody has registered with your link yet"
                hint="Send it to a seller who could use Tideline. Everyone who registers with it appears here."
              />
            ) : (
              <>
                <Commissions affiliate={affiliate} />
                <Referrals affiliate={affiliate} />
              </>
            )}
          </>
        )}
      </QueryView>
    </Page>
  )
}

function LinkCard({ affiliate: { code, link, terms } }: { affiliate: Affiliate }) {
  const [problem, setProblem] = useState<string>()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link)
      setProblem(undefined)
      toast({ title: 'Link copied', tone: 'success' })
    } catch {
      setProblem('The link could not be copied. Select it and copy it by hand.')
    }
  }
  const share = async (): Promise<void> => {
    try {
      await navigator.share({
        title: 'Tideline',
        text: 'Run your ad campaigns from your phone with Tideline.',
        url: link,
      })
    } catch (error) {
      // Closing the system's sheet is no failure.
      if ((error as Error).name !== 'AbortError') await copy()
    }
  }
  return (
    <Card title="Your link">
      <p>
        You earn {terms.percent}% of what people who register with your link pay for their plan, for {terms.months}{' '}
        months from their first payment. A commission is payable {terms.holdDays} days after the payment.
      </p>
      <div className="affiliate-link">
        <FieldFrame label="Link to the registration" error={problem} help={`Your code is ${code}.`}>
          {described => <input {...described} value={link} readOnly onFocus={event => event.target.select()} />}
        </FieldFrame>
        <div className="button-row">
          {/* Neither is there on pages without TLS. */}
          {'clipboard' in navigator && (
            <Button tone="primary" onClick={() => void copy()}>
              <Icon icon={copyOutline} /> Copy link
            </Button>
          )}
          {'share' in navigator && (
            <Button onClick={() => void share()}>
              <Icon icon={shareSocialOutline} /> Share
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

function Earnings({ currency, pending, payable, paid }: Affiliate['totals'][number]) {
  return (
    <Card title={`Earned in ${currency}`}>
      <KeyValue
        items={[
          { label: 'Pending', value: formatMoney(pending, currency) },
          { label: 'Payable', value: formatMoney(payable, currency) },
          { label: 'Paid out', value: formatMoney(paid, currency) },
        ]}
      />
    </Card>
  )
}

const states: Record<Commission['state'], { label: string; tone: string; sentence: (one: Commission) => string }> = {
  PENDING: { label: 'Pending', tone: '', sentence: one => `Payable on ${day(one.payableDate)}` },
  PAYABLE: { label: 'Payable', tone: 'tag-good', sentence: one => `Payable since ${day(one.payableDate)}` },
  PAID: {
    label: 'Paid out',
    tone: 'tag-good',
    sentence: one => `Paid out on ${day(one.paidOutDate ?? one.payableDate)}`,
  },
  REVERSED: { label: 'Reversed', tone: 'tag-danger', sentence: () => 'The payment was returned' },
}

function Commissions({ affiliate: { commissions, commissionCount } }: { affiliate: Affiliate }) {
  if (commissions.length === 0) return null
  return (
    <Rows title="Commissions" count={commissionCount} shown={commissions.length}>
      {commissions.map((one, index) => {
        const { label, tone, sentence } = states[one.state]
        return (
          // Two of one referral can have the same date.
          <li key={`${one.name} ${one.invoicePaidDate} ${index}`}>
            <div>
              <strong>{one.name}</strong>
              <p>
                Payment of {day(one.invoicePaidDate)}. {sentence(one)}.
              </p>
            </div>
            <div className="affiliate-amount">
              <strong className="figure">{formatMoney(one.amount, one.currency)}</strong>
              <span className={`tag ${tone}`}>{label}</span>
            </div>
          </li>
        )
      })}
    </Rows>
  )
}

function Referrals({ affiliate: { referrals, referralCount } }: { affiliate: Affiliate }) {
  return (
    <Rows title="Referrals" count={referralCount} shown={referrals.length}>
      {referrals.map((one, index) => (
        <li key={`${one.name} ${one.registeredDate} ${index}`}>
          <div>
            <strong>{one.name}</strong>
            <p>
              Registered on {day(one.registeredDate)}. {earningOf(one)}.
            </p>
          </div>
        </li>
      ))}
    </Rows>
  )
}

interface RowsProps {
  title: string
  count: number
  /** How many of them are listed, the newest. */
  shown: number
  children: ReactNode
}

function Rows({ title, count, shown, children }: RowsProps) {
  return (
    <Card title={title} aside={<span className="tag">{count}</span>}>
      <ul className="affiliate-rows">{children}</ul>
      {shown < count && <p>These are the newest {shown}.</p>}
    </Card>
  )
}

const earningOf = ({ firstPaidDate, earnsUntilDate }: Referral): string =>
  firstPaidDate && earnsUntilDate
    ? `First payment on ${day(firstPaidDate)}; you earn until ${day(earnsUntilDate)}`
    : 'No payment yet'

const day = formatMomentDay
