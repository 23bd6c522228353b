/** The scenarios that the header `X-Service-Scenario` simulates in test mode, because no card number can. */
export const scenarios = ['timeout_before_charge', 'timeout_after_charge', 'duplicate_answer', 'slow'] as const
export type Scenario = (typeof scenarios)[number]
