import './share.css'
import { useQuery } from '@tanstack/react-query'
import { clipboardOutline, closeOutline } from 'ionicons/icons'
import { type FormEvent, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { MerchantSwitcher, useCurrentMarketplace, useMayChange, useShop } from '#features/accounts/client/public.ts'
import { AddNegativesSheet, HarvestSheet } from '#features/campaigns/client/public.ts'
import { catalogueQueries } from '#features/catalogue/client/public.ts'
import { readSharedLink } from '#shared/product-link.ts'
import { linkProblem } from './link-problem.ts'
import { SharedProduct, type ProductActions } from './shared-product.tsx'
import { dropShared, keepShared, MAX_SHARED, noteSharedSeen, type SharedText, useShared } from './shared-products.ts'

/** Products that were shared from the browser or whose links are pasted here: to target, to exclude or to advertise. */
export function SharedProductsPage() {
  const shop = useShop()
  const { currency } = useCurrentMarketplace()
  const online = useOnline()
  const mayChange = useMayChange()
  const shared = useShared()
  const { opened, open, close } = useSheetAddress('sheet', 'asin')
  useEffect(noteSharedSeen, [shared.length])
  const asins = [...new Set(shared.flatMap(({ text }) => asinOf(text) ?? []))].toSorted()
  const catalogue = useQuery({
    ...catalogueQueries.inventoryPage(shop, { page: 0, size: 200, search: '', asins }),
    enabled: asins.length > 0,
  })
  const productOf = (asin: string) => catalogue.data?.content.find(product => product.asin === asin)
  const asin = typeof opened.asin === 'string' ? opened.asin : null
  const actions: ProductActions = {
    target: chosen => open({ sheet: 'target', asin: chosen }),
    exclude: chosen => open({ sheet: 'exclude', asin: chosen }),
  }
  return (
    <Page title="Add a product" toolbar={<ContextBar account={<MerchantSwitcher />} />}>
      {mayChange && <PasteCard />}
      {!mayChange && (
        <EmptyState
          title="You can look, but not change anything here"
          hint="The owner of this account can add products."
        />
      )}
      {mayChange &&
        shared.map(one => (
          <SharedCard key={one.text} shared={one}>
            <SharedProduct
              text={one.text}
              productOf={productOf}
              isChecked={catalogue.data !== undefined}
              online={online}
              actions={actions}
            />
          </SharedCard>
        ))}
      {mayChange && shared.length === 0 && (
        <EmptyState
          title="No product yet"
          hint="Share a product page from your browser to Tideline, or paste its link above. Then choose whether to target it, exclude it or advertise it."
        />
      )}
      {mayChange && asin && (
        <Suspense>
          {opened.sheet === 'target' && (
            <HarvestSheet rows={[productRow(asin, currency)]} onClose={close} onDone={() => undefined} />
          )}
          {opened.sheet === 'exclude' && (
            <AddNegativesSheet
              shop={shop}
              campaignId={undefined}
              adGroupId={undefined}
              initial={{ text: asin, kind: 'ASIN_SAME_AS' }}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </Page>
  )
}

function asinOf(text: string): string | null {
  const link = readSharedLink(text)
  return link.found === 'PRODUCT' ? link.asin : null
}

/** A product as what may become a target, which came in nowhere yet. */
const productRow = (asin: string, currency: string) =>
  ({ id: asin, term: asin, kind: 'PRODUCT', currency, source: null, coverage: 'NEW', coveredBy: null }) as const

function SharedCard({ shared, children }: { shared: SharedText; children: ReactNode }) {
  const remove = (): void => {
    dropShared(shared)
    toast({ title: 'Removed', action: { label: 'Undo', onSelect: () => keepShared(shared.text) } })
  }
  return (
    <Card
      aside={
        <button
          type="button"
          className="icon-button shared-remove"
          aria-label={`Remove ${asinOf(shared.text) ?? 'this link'}`}
          onClick={remove}
        >
          <Icon icon={closeOutline} />
        </button>
      }
    >
      {children}
    </Card>
  )
}

/** For browsers that cannot share to an app, and for links from elsewhere. */
function PasteCard() {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = (link: string): void => {
    const found = linkProblem(readSharedLink(link), link)
    setProblem(found)
    if (found !== undefined) return setText(link.slice(0, MAX_SHARED))
    keepShared(link.trim())
    setText('')
  }
  const paste = async (): Promise<void> => {
    try {
      add(await navigator.clipboard.readText())
    } catch {
      setProblem('The clipboard could not be read. Paste the link into the field.')
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add(text)
  }
  return (
    <Card title="Paste a link">
      <form onSubmit={submit} noValidate>
        <TextField
          label="Link to a product page, or an ASIN"
          name="link"
          value={text}
          error={problem}
          onChange={value => {
            setText(value)
            setProblem(undefined)
          }}
        />
        <div className="button-row">
          <Button tone="primary" type="submit">
            Add
          </Button>
          {/* Not on pages without TLS. */}
          {'clipboard' in navigator && (
            <Button onClick={() => void paste()}>
              <Icon icon={clipboardOutline} /> Paste
            </Button>
          )}
        </div>
      </form>
    </Card>
  )
}
