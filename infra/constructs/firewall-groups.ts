/** The managed rule groups of AWS WAF that the firewall uses, with all of their rules. */
export const managed_groups = [
  {
    name: 'AWSManagedRulesAmazonIpReputationList',
    rules: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList', 'AWSManagedIPDDoSList'],
  },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    rules: [
      ...['NoUserAgent_HEADER', 'UserAgent_BadBots_HEADER'],
      ...['QUERYSTRING', 'Cookie_HEADER', 'BODY', 'URIPATH'].map((part) => `SizeRestrictions_${part}`),
      ...['BODY', 'COOKIE', 'URIPATH', 'QUERYARGUMENTS'].map((part) => `EC2MetaDataSSRF_${part}`),
      ...['QUERYARGUMENTS', 'URIPATH', 'BODY'].flatMap((part) => [`GenericLFI_${part}`, `GenericRFI_${part}`]),
      ...['URIPATH', 'QUERYARGUMENTS'].map((part) => `RestrictedExtensions_${part}`),
      ...['COOKIE', 'QUERYARGUMENTS', 'BODY', 'URIPATH'].map((part) => `CrossSiteScripting_${part}`),
    ],
  },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    rules: [
      ...['HEADER', 'BODY', 'URIPATH', 'QUERYSTRING'].flatMap((part) => [
        `JavaDeserializationRCE_${part}`,
        `Log4JRCE_${part}`,
      ]),
      ...['Host_localhost_HEADER', 'PROPFIND_METHOD', 'ExploitablePaths_URIPATH', 'ReactJSRCE_BODY'],
    ],
  },
]

/**
 * `suspicious_labels` are the labels of requests whose path or headers no honest client sends. The functions refuse
 * these requests. Labels for bodies and queries are left out, because merchants choose what they write there.
 */
export const suspicious_labels = [
  'core-rule-set:GenericLFI_URIPath',
  'core-rule-set:CrossSiteScripting_URIPath',
  'known-bad-inputs:JavaDeserializationRCE_Header',
  'known-bad-inputs:JavaDeserializationRCE_URIPath',
  'known-bad-inputs:Log4JRCE_Header',
  'known-bad-inputs:Log4JRCE_URIPath',
  'known-bad-inputs:ExploitablePaths_URIPath',
].map(fullLabel)

/**
 * `listed_labels` are the labels of requests from addresses on AWS's reputation lists. Shoppers share such addresses,
 * and merchants' servers in a cloud inherit them, so a listed address alone is no reason to refuse a request.
 */
export const listed_labels = [
  'amazon-ip-list:AWSManagedIPReputationList',
  'amazon-ip-list:AWSManagedReconnaissanceList',
  'amazon-ip-list:AWSManagedIPDDoSList',
].map(fullLabel)

function fullLabel(label: string): string {
  return `awswaf:managed:aws:${label}`
}
