import type { Command } from './command'

/**
 * Returns how well a command matches, less is better; undefined when it does not. Every word of the query must occur in the name or the
 * terms.
 */
function scoreOf({ id, label, hint = '' }: Command, query: string, more: string): number | undefined {
  const name = label.toLowerCase()
  if (name.startsWith(query)) return 0
  if (name.includes(` ${query}`)) return 1
  if (name.includes(query)) return 2
  const words = query.split(/\s+/)
  const everything = `${name} ${hint} ${terms[id] ?? ''} ${more}`.toLowerCase()
  return words.every((word) => everything.includes(word)) ? 3 : undefined
}

/** Returns the commands that match the query, best first; all of them for an empty query. `moreOf` returns further words of a command. */
export function matching(
  commands: readonly Command[],
  typed: string,
  moreOf: (command: Command) => string = () => '',
): readonly Command[] {
  const query = typed.trim().toLowerCase()
  if (query === '') return commands
  return commands
    .flatMap((command) => {
      const score = scoreOf(command, query, moreOf(command))
      return score === undefined ? [] : [{ command, score }]
    })
    .sort((one, other) => one.score - other.score)
    .map(({ command }) => command)
}

/**
 * Search terms for pages and actions besides their names: synonyms in both languages, and pinyin of the Chinese name. Lower case, by
 * command id.
 */
export const terms: Readonly<Record<string, string>> = {
  '/': 'home start welcome landing 首页 主页 shouye zhuye',
  '/pricing': 'pricing prices models cost 模型价格 价格 定价 费用 moxing jiage dingjia',
  '/about': 'about contact version 关于 联系 版本 guanyu',
  '/playground': 'playground chat test try prompt 操练场 聊天 对话 测试 caolianchang liaotian duihua',
  '/app/dashboard':
    'dashboard overview analytics statistics charts usage spend 数据看板 仪表盘 统计 图表 用量 shujukanban yibiaopan tongji',
  '/app/tokens': 'api tokens keys secret sk credentials 令牌 密钥 api key lingpai miyao',
  '/app/connect':
    'connect clients set up agents claude code codex gemini qwen opencode cline continue aider cursor open webui librechat lobechat n8n langchain 接入 客户端 工具 配置 教程 jieru kehuduan gongju peizhi jiaocheng',
  '/app/logs/api-usage':
    'usage log logs history requests calls errors 使用日志 日志 记录 请求 错误 shiyongrizhi rizhi jilu',
  '/admin/channels': 'channels upstream providers vendors 渠道 通道 上游 供应商 qudao tongdao shangyou',
  '/admin/prices':
    'prices cost margin tiers ratios price book bulk import 价格管理 价格 定价 成本 毛利 倍率 jiageguanli jiage dingjia chengben beilv',
  '/admin/earnings': 'earnings profit margin cost revenue 收益 毛利 成本 利润 shouyi maoli chengben lirun',
  '/admin/coupons':
    'redemption codes coupons vouchers gift codes batch 兑换码管理 兑换码 礼品码 优惠券 卡密 duihuanma lipinma youhuiquan kami',
  '/admin/orders':
    'orders payments top-ups topups refunds disputes epay stripe 充值订单 订单 支付 充值 退款 争议 chongzhidingdan dingdan zhifu chongzhi tuikuan zhengyi',
  '/admin/messages':
    'message management messages announcements broadcast notify users send 消息管理 消息 群发 公告 通知 站内信 发送 xiaoxiguanli xiaoxi qunfa gonggao tongzhi zhanneixin fasong',
  '/admin/settings':
    'system settings options configuration preferences 系统设置 设置 配置 选项 xitongshezhi shezhi peizhi',
  '/admin/system':
    'system status health doctor workers jobs queues version updates log level support bundle 系统状态 健康 诊断 进程 任务 队列 版本 日志级别 支持 xitongzhuangtai zhenduan renwu duilie banben',
  '/app/wallet':
    'wallet balance top up topup recharge redeem code statement bill invoice orders 钱包 余额 充值 兑换 账单 订单 qianbao yue chongzhi duihuan zhangdan dingdan',
  '/app/plans': 'plans subscriptions subscribe renew upgrade monthly 套餐 订阅 续订 包月 taocan dingyue xuding baoyue',
  '/admin/plans':
    'plan management plans subscriptions sales packages 套餐管理 套餐 订阅 销售 taocanguanli taocan dingyue xiaoshou',
  '/app/inbox':
    'inbox messages notifications unread bell mail 收件箱 消息 通知 未读 站内信 shoujianxiang xiaoxi tongzhi weidu zhanneixin',
  'new-token': 'create new add api key token 创建 新建 添加 令牌 密钥 chuangjian xinjian lingpai',
  'new-channel': 'create new add channel provider upstream 创建 新建 添加 渠道 chuangjian xinjian tianjia qudao',
  route: 'who serves a call route routing why channel failover 路由 谁来处理 渠道 luyou qudao',
  'test-channels': 'test check all channels health ping 测试 检测 所有渠道 ceshi jiance',
  shortcuts: 'keyboard shortcuts keys hotkeys help 键盘 快捷键 帮助 jianpan kuaijiejian bangzhu',
  logout: 'log out logout sign out signout log off exit quit leave 退出登录 退出 登出 注销 tuichu dengchu zhuxiao',
  'theme-light': 'light theme mode appearance 主题 浅色 亮色 外观 zhuti qianse liangse',
  'theme-dark': 'dark theme mode night appearance 主题 深色 暗色 夜间 外观 zhuti shense anse yejian',
  'theme-auto': 'system theme mode auto appearance 主题 跟随系统 自动 外观 zhuti gensuixitong zidong',
  'language-zh': 'language chinese simplified mandarin 语言 中文 简体 yuyan zhongwen',
  'language-en': 'language english 语言 英语 英文 yuyan yingyu yingwen',
}
