/** The scenarios of the header `X-Service-Scenario` in test mode. No card number can simulate them. */
export const scenarios = ['timeout_before_charge', 'timeout_after_charge', 'duplicate_answer', 'slow'] as const
export type Scenario = (typeof scenarios)[number]
