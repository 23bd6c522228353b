/** The languages of samples, in the order in which a page shows them. */
export const sample_languages = ['shell', 'typescript', 'python', 'go', 'php', 'ruby'] as const

export type SampleLanguage = (typeof sample_languages)[number]

/**
 * A sample program in one or more languages. The text `{base_url}` stands for the base URL of the API, such as
 * `https://api.example.com/api/v1`. A sample reads keys, ids and addresses from environment variables, such as
 * `SECRET_KEY`, `PUBLISHABLE_KEY` and `PAYMENT`. A guide sets every variable of its samples other than the API keys. A
 * test runs each program.
 */
export type Sample = Readonly<Partial<Record<SampleLanguage, string>>>
