import type { Locale } from '#shared/domain/session.ts'

type Names = Readonly<Record<Locale, string>>

/** The convenience stores that a customer can pay at. */
export const stores: Readonly<Record<string, Names>> = {
  'seven-eleven': { ja: 'セブン-イレブン', en: '7-Eleven', ko: '세븐일레븐' },
  lawson: { ja: 'ローソン', en: 'Lawson', ko: '로손' },
  'family-mart': { ja: 'ファミリーマート', en: 'FamilyMart', ko: '패밀리마트' },
  ministop: { ja: 'ミニストップ', en: 'Ministop', ko: '미니스톱' },
  'daily-yamazaki': { ja: 'デイリーヤマザキ', en: 'Daily Yamazaki', ko: '데일리 야마자키' },
  seicomart: { ja: 'セイコーマート', en: 'Seicomart', ko: '세이코마트' },
}

/** The mobile carriers that can bill a customer. */
export const carriers: Readonly<Record<string, Names>> = {
  docomo: { ja: 'ドコモ', en: 'docomo', ko: '도코모' },
  au: { ja: 'au', en: 'au', ko: 'au' },
  softbank: { ja: 'ソフトバンク', en: 'SoftBank', ko: '소프트뱅크' },
  rakuten: { ja: '楽天モバイル', en: 'Rakuten Mobile', ko: '라쿠텐 모바일' },
}
