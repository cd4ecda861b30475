/** Columns of the listings' file, in its order. */
export const listingColumns =
  'item-name item-description listing-id seller-sku price quantity open-date image-url item-is-marketplace product-id-type zshop-shipping-fee item-note item-condition zshop-category1 zshop-browse-path zshop-storefront-feature asin1 asin2 asin3 will-ship-internationally expedited-shipping zshop-boldface product-id bid-for-featured-placement add-delete pending-quantity fulfillment-channel merchant-shipping-group status'.split(
    ' ',
  )

const german: Record<string, string> = {
  'item-name': 'Artikelbezeichnung',
  'item-description': 'Artikelbeschreibung',
  'listing-id': 'Angebotsnummer',
  'seller-sku': 'Händler-SKU',
  price: 'Preis',
  quantity: 'Menge',
  'open-date': 'Erstellungsdatum',
  'item-is-marketplace': 'Artikel ist Marketplace-Angebot',
  'product-id-type': 'Produkt-ID-Typ',
  'item-note': 'Anmerkung zum Artikel',
  'item-condition': 'Artikelzustand',
  asin1: 'ASIN 1',
  asin2: 'ASIN 2',
  asin3: 'ASIN 3',
  'will-ship-internationally': 'Internationaler Versand',
  'expedited-shipping': 'Expressversand',
  'product-id': 'Produkt-ID',
  'add-delete': 'Hinzufügen-Löschen',
  'pending-quantity': 'Anzahl Bestellungen',
  'fulfillment-channel': 'Versand-Kanal',
  'merchant-shipping-group': 'Händlerversandgruppe',
  status: 'Status',
}

const japanese: Record<string, string> = {
  'item-name': '商品名',
  'listing-id': '出品ID',
  'seller-sku': '出品者SKU',
  price: '価格',
  quantity: '数量',
  'open-date': '出品日',
  'product-id-type': '商品IDタイプ',
  'item-note': 'コンディション説明',
  'item-condition': 'コンディション',
  'will-ship-internationally': '国外へ配送可',
  'expedited-shipping': '迅速な配送',
  'product-id': '商品ID',
  'pending-quantity': '在庫数(保留中)',
  'fulfillment-channel': 'フルフィルメント・チャンネル',
  status: 'ステータス',
}

const byCountry: Record<string, Record<string, string>> = { DE: german, JP: japanese }

/** The header of a country's listings file: German and Japanese ones are translated, all others English. */
export function listingHeader(country: string): string[] {
  return listingColumns.map(column => byCountry[country]?.[column] ?? column)
}
