import type { Locale, Session } from '#shared/domain/session.ts'
import type { Notice } from './text-types.ts'

/** What the page says when it has no result for a form that it sent. */
export interface SendNotices {
  /** Nothing was sent, because the browser has no connection. */
  readonly offline: Notice
  /** No response arrived. The page checks what happened. */
  readonly unknown: Notice
  /** The service asks to wait. The page checks what happened. */
  readonly busy: Notice
  /** No check gets a response, although the browser is online. The customer can send the form without the script. */
  readonly unreachable: Notice
  /** The check found that nothing happened. The customer can try again. */
  readonly unpaid: Notice
}

/** The texts around sending a form in one language. */
export interface SendTexts {
  /** Asks for the fields whose values the service does not send back. `labels` lists them. */
  readonly retype: (labels: string) => string
  readonly notices: Readonly<Record<Session['mode'], SendNotices>>
}

/** The texts around sending a form, by language. */
export const send_texts: Readonly<Record<Locale, SendTexts>> = {
  en: {
    retype: (labels) => `For your safety, this page does not show secret values again. Please re-enter: ${labels}.`,
    notices: {
      payment: {
        offline: {
          title: 'You are offline',
          text: 'Nothing was sent. Please connect to the internet and press the button again.',
        },
        unknown: {
          title: 'We do not know yet whether your payment went through',
          text: 'Please do not pay again. We are checking, and this page shows the result.',
        },
        busy: {
          title: 'Please wait a moment',
          text: 'The service is busy. Please do not pay again. We are checking your payment, and this page shows the result.',
        },
        unreachable: {
          title: 'This page cannot reach the service',
          text: 'We do not know yet whether your payment went through. You can press the button again. You pay only once.',
        },
        unpaid: {
          title: 'Your payment was not made',
          text: 'Nothing was charged. What you entered is still here, and you can press the button again.',
        },
      },
      customer: {
        offline: {
          title: 'You are offline',
          text: 'Nothing was sent. Please connect to the internet and press the button again.',
        },
        unknown: {
          title: 'We do not know yet whether your card was saved',
          text: 'Please wait. We are checking, and this page shows the result.',
        },
        busy: {
          title: 'Please wait a moment',
          text: 'The service is busy. We are checking whether your card was saved, and this page shows the result.',
        },
        unreachable: {
          title: 'This page cannot reach the service',
          text: 'We do not know yet whether your card was saved. You can press the button again.',
        },
        unpaid: {
          title: 'Your card was not saved',
          text: 'What you entered is still here, and you can press the button again.',
        },
      },
    },
  },
  ja: {
    retype: (labels) =>
      `安全のため、番号やパスワードは画面に再表示されません。次の項目をもう一度入力してください：${labels}`,
    notices: {
      payment: {
        offline: {
          title: 'インターネットに接続されていません',
          text: '入力内容はまだ送信されていません。接続を確認してから、もう一度ボタンを押してください。',
        },
        unknown: {
          title: 'お支払いが完了したかどうか、まだ確認できていません',
          text: '二重のお支払いを防ぐため、再度のお支払いはお控えください。ただいま確認しており、結果はこの画面に表示されます。',
        },
        busy: {
          title: '少々お待ちください',
          text: 'ただいま混み合っています。再度のお支払いはお控えください。お支払いの状況を確認しており、結果はこの画面に表示されます。',
        },
        unreachable: {
          title: 'このページからサービスに接続できません',
          text: 'お支払いが完了したかどうか、まだ確認できていません。もう一度ボタンを押せます。お支払いは一度だけです。',
        },
        unpaid: {
          title: 'お支払いは行われませんでした',
          text: '請求は発生していません。入力内容は残っていますので、もう一度ボタンを押してください。',
        },
      },
      customer: {
        offline: {
          title: 'インターネットに接続されていません',
          text: '入力内容はまだ送信されていません。接続を確認してから、もう一度ボタンを押してください。',
        },
        unknown: {
          title: 'カードが登録されたかどうか、まだ確認できていません',
          text: 'ただいま確認しており、結果はこの画面に表示されます。そのままお待ちください。',
        },
        busy: {
          title: '少々お待ちください',
          text: 'ただいま混み合っています。カードが登録されたかどうかを確認しており、結果はこの画面に表示されます。',
        },
        unreachable: {
          title: 'このページからサービスに接続できません',
          text: 'カードが登録されたかどうか、まだ確認できていません。もう一度ボタンを押せます。',
        },
        unpaid: {
          title: 'カードは登録されませんでした',
          text: '入力内容は残っていますので、もう一度ボタンを押してください。',
        },
      },
    },
  },
  ko: {
    retype: (labels) =>
      `안전을 위해 번호와 비밀번호는 화면에 다시 표시되지 않습니다. 다음 항목을 다시 입력해 주세요: ${labels}`,
    notices: {
      payment: {
        offline: {
          title: '인터넷에 연결되어 있지 않습니다',
          text: '입력하신 내용은 아직 전송되지 않았습니다. 연결을 확인한 후 버튼을 다시 눌러 주세요.',
        },
        unknown: {
          title: '결제가 완료되었는지 아직 확인되지 않았습니다',
          text: '중복 결제를 막기 위해 다시 결제하지 말아 주세요. 지금 확인하고 있으며 결과는 이 화면에 표시됩니다.',
        },
        busy: {
          title: '잠시만 기다려 주세요',
          text: '현재 이용이 많습니다. 다시 결제하지 말아 주세요. 결제 상태를 확인하고 있으며 결과는 이 화면에 표시됩니다.',
        },
        unreachable: {
          title: '이 페이지에서 서비스에 연결할 수 없습니다',
          text: '결제가 완료되었는지 아직 확인되지 않았습니다. 버튼을 다시 누르실 수 있으며, 결제는 한 번만 이루어집니다.',
        },
        unpaid: {
          title: '결제가 이루어지지 않았습니다',
          text: '청구된 금액은 없습니다. 입력하신 내용은 그대로 남아 있으니 버튼을 다시 눌러 주세요.',
        },
      },
      customer: {
        offline: {
          title: '인터넷에 연결되어 있지 않습니다',
          text: '입력하신 내용은 아직 전송되지 않았습니다. 연결을 확인한 후 버튼을 다시 눌러 주세요.',
        },
        unknown: {
          title: '카드가 등록되었는지 아직 확인되지 않았습니다',
          text: '지금 확인하고 있으며 결과는 이 화면에 표시됩니다. 잠시 기다려 주세요.',
        },
        busy: {
          title: '잠시만 기다려 주세요',
          text: '현재 이용이 많습니다. 카드가 등록되었는지 확인하고 있으며 결과는 이 화면에 표시됩니다.',
        },
        unreachable: {
          title: '이 페이지에서 서비스에 연결할 수 없습니다',
          text: '카드가 등록되었는지 아직 확인되지 않았습니다. 버튼을 다시 누르실 수 있습니다.',
        },
        unpaid: {
          title: '카드가 등록되지 않았습니다',
          text: '입력하신 내용은 그대로 남아 있으니 버튼을 다시 눌러 주세요.',
        },
      },
    },
  },
}
