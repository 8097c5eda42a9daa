/*
 * What vendors charge in one region: vendor, region, currency, confidence and date, then name and prices (see price-line.ts), then the
 * source. `high`: the vendor's own page, or two sources that agree; `medium`: one good source; `low`: a guess that an operator confirms.
 */
export const vendorPriceText = `baidu cn CNY medium 2025-12-01|ernie-3.5-128k i0.8 o2|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/lobehub 2.1.26 higress.ts
baidu cn CNY medium 2025-12-01|ernie-4.0-8k-latest i30 o90|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/lobehub 2.1.26 higress.ts
baidu cn CNY high 2026-08-01|ernie-4.0-turbo-8k i20 o60|npm @lobehub/chat 1.60.0 src/config/aiModels/wenxin.ts (-latest and -preview); Laisky/one-api relay/adaptor/ba
cloudflare intl USD high 2026-08-01|@cf/baai/bge-large-en-v1.5 i0.204|cloudflare/cloudflare-docs src/content/docs/workers-ai/platform/pricing.mdx @0059055; Laisky/one-api relay/ada
cloudflare intl USD high 2026-08-01|@cf/baai/bge-m3 i0.012|Laisky/one-api relay/adaptor/cloudflare/constant.go; Portkey-AI/models pricing/workers-ai.json
cloudflare intl USD high 2026-08-01|@cf/baai/bge-small-en-v1.5 i0.02|cloudflare/cloudflare-docs src/content/docs/workers-ai/platform/pricing.mdx @0059055; Laisky/one-api relay/ada
cloudflare intl USD low 2026-02-01|@cf/stabilityai/stable-diffusion-xl-base-1.0 I0|MartialBE/one-hub model/price.go
cohere intl USD medium 2026-11-20|c4ai-aya-expanse-8b i0.5 o1.5|npm @lobehub/lobehub 2.1.26 cohere.ts; pypi litellm 1.110.2 (c4ai-aya-expanse-32b, same rate)
cohere intl USD medium 2026-08-21|rerank-english-v2.0 C0.001|Portkey-AI/models pricing/cohere.json
cohere intl USD medium 2026-08-21|rerank-multilingual-v2.0 C0.001|Portkey-AI/models pricing/cohere.json
dashscope cn CNY high 2026-09-01|cosyvoice-v3-flash X100|a public price table (2026-09 table, Beijing); a public price table
dashscope cn CNY medium 2026-07-02|deepseek-r1 i4 o16|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-r1-0528 i4 o16|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-r1-distill-llama-70b i2 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-r1-distill-qwen-14b i1 o3|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-r1-distill-qwen-32b i2 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-r1-distill-qwen-7b i0.5 o1|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-v3 i2 o8|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-v3.1 i4 o12|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|deepseek-v3.2-exp i2 o3|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn USD medium 2026-11-20|happyhorse-1.1-i2v S0.165026 @480p,size=480p S0.0618845 @720p,size=720p S0.123769 @1080p,size=1080p S0.165026|pypi litellm 1.110.2 (cites alibabacloud.com model-studio/happyhorse-1-1-i2v)
dashscope cn USD medium 2026-11-20|happyhorse-1.1-r2v S0.165026 @480p,size=480p S0.0618845 @720p,size=720p S0.123769 @1080p,size=1080p S0.165026|pypi litellm 1.110.2 (cites alibabacloud.com model-studio/happyhorse-1-1-r2v)
dashscope cn USD medium 2026-11-20|happyhorse-1.1-t2v S0.165026 @480p,size=480p S0.0618845 @720p,size=720p S0.123769 @1080p,size=1080p S0.165026|pypi litellm 1.110.2 (cites alibabacloud.com model-studio/happyhorse-1-1-t2v)
dashscope cn CNY medium 2026-07-02|qvq-max i8 o32|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-deep-research i54 o163|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-doc-turbo i0.61 o1|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-flash i0.15 o1.5|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-08-22|qwen-image-edit-plus I0.2|Laisky/one-api relay/adaptor/ali/constants_wanx.go
dashscope cn CNY medium 2026-08-22|qwen-image-plus I0.2|Laisky/one-api relay/adaptor/ali/constants_wanx.go
dashscope cn CNY medium 2026-07-02|qwen-long i0.5 o2|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-math-plus i4 o12|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-math-turbo i2 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-max i2.4 o9.6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-mt-plus i1.8 o5.4|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-mt-turbo i0.7 o1.95|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-omni-turbo i0.4 o1.6 a25 A50|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-omni-turbo-realtime i1.6 o6.4 a25 A50|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-plus i0.8 o2 t8|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-plus-character i0.8 o2|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-turbo i0.31 o0.61 t3|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-vl-max i1.6 o4|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-vl-ocr i5 o5|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen-vl-plus i0.8 o2|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-14b-instruct i1 o3|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-32b-instruct i2 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-72b-instruct i4 o12|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-7b-instruct i0.5 o1|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-coder-32b-instruct i2 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-coder-7b-instruct i1 o2|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-math-72b-instruct i4 o12|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-math-7b-instruct i1 o2|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-omni-7b i0.61 o2.4 a38|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-vl-72b-instruct i16 o48|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen2.5-vl-7b-instruct i2 o5|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-14b i1 o4 t10|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-235b-a22b i2 o8 t20|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-08-21|qwen3-235b-a22b-thinking-2507 i2 o20|lobehub/lobehub qwen.ts @0e45b9c
dashscope cn CNY medium 2026-07-02|qwen3-32b i2 o8 t20|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-8b i0.5 o2 t5|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-asr-flash i0.22 o0.22|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-coder-30b-a3b-instruct i1.5 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-coder-480b-a35b-instruct i6 o24|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-coder-flash i1 o4|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-max i6 o24|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-next-80b-a3b-instruct i1 o4|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3-next-80b-a3b-thinking i1 o10|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn USD high 2026-01-01|qwen3-rerank i0.069|https://www.alibabacloud.com/help/en/model-studio/qwen3-rerank
dashscope cn CNY medium 2026-07-02|qwen3.5-397b-a17b i3 o18 t18|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3.5-flash i1.2 o12 t12|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwen3.5-plus i4 o24 t24|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwq-32b i2 o6|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY medium 2026-07-02|qwq-plus i1.6 o4|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY high 2025-08-14|text-embedding-v2 i0.7 @batch,batch=true i0.35|https://help.aliyun.com/document_detail/2975738.html; songquanpeng/one-api relay/billing/ratio/model.go @8df4a
dashscope cn CNY high 2025-08-14|text-embedding-v3 i0.5 @batch,batch=true i0.25|https://help.aliyun.com/document_detail/2975738.html; Laisky/one-api relay/adaptor/ali/constants_embedding.go
dashscope cn CNY high 2025-08-14|text-embedding-v4 i0.5 @batch,batch=true i0.25|https://help.aliyun.com/document_detail/2975738.html; Laisky/one-api relay/adaptor/ali/constants_embedding.go
dashscope cn CNY medium 2026-07-02|tongyi-intent-detect-v3 i0.4 o1|models.dev alibaba-cn, back to yuan at 6.97
dashscope cn CNY high 2026-11-20|wan2.7-i2v S1 @720p,size=720p S0.6 @1080p,size=1080p S1|lobehub/lobehub qwen.ts @0e45b9c (1080P); pypi litellm 1.110.2 (cites alibabacloud.com model-studio/wan2-7-i2v
dashscope cn CNY high 2026-11-20|wan2.7-r2v S1 @720p,size=720p S0.6 @1080p,size=1080p S1|lobehub/lobehub qwen.ts @0e45b9c (1080P); pypi litellm 1.110.2 (cites alibabacloud.com model-studio/wan2-7-r2v
dashscope cn CNY high 2026-11-20|wan2.7-t2v S1 @720p,size=720p S0.6 @1080p,size=1080p S1|lobehub/lobehub qwen.ts @0e45b9c (1080P); pypi litellm 1.110.2 (cites alibabacloud.com model-studio/wan2-7-t2v
dashscope cn USD medium 2026-11-20|wan3.0-video S0.165025 @480p,size=480p S0.041256 @720p,size=720p S0.082513 @1080p,size=1080p S0.165025|pypi litellm 1.110.2 (cites alibabacloud.com/help/en/model-studio/wan3-0-video)
dashscope cn USD medium 2026-11-20|wan3.0-video-prime S0.254399 @480p,size=480p S0.0636 @720p,size=720p S0.127199 @1080p,size=1080p S0.254399|pypi litellm 1.110.2 (cites alibabacloud.com/help/en/model-studio/wan3-0-video-prime)
dashscope intl USD medium 2026-11-20|happyhorse-1.1-i2v S0.18 @480p,size=480p S0.07 @720p,size=720p S0.14 @1080p,size=1080p S0.18|pypi litellm 1.110.2 (cites alibabacloud.com model-studio/happyhorse-1-1-i2v)
dashscope intl USD medium 2026-11-20|happyhorse-1.1-r2v S0.18 @480p,size=480p S0.07 @720p,size=720p S0.14 @1080p,size=1080p S0.18|pypi litellm 1.110.2 (cites alibabacloud.com model-studio/happyhorse-1-1-r2v)
dashscope intl USD medium 2026-11-20|happyhorse-1.1-t2v S0.18 @480p,size=480p S0.07 @720p,size=720p S0.14 @1080p,size=1080p S0.18|pypi litellm 1.110.2 (cites alibabacloud.com model-studio/happyhorse-1-1-t2v)
dashscope intl USD high 2026-01-01|qwen3-rerank i0.1|https://www.alibabacloud.com/help/en/model-studio/qwen3-rerank
dashscope intl USD high 2025-08-14|text-embedding-v3 i0.07|https://help.aliyun.com/document_detail/2975738.html; Laisky/one-api relay/adaptor/ali/constants_embedding.go
dashscope intl USD high 2025-08-14|text-embedding-v4 i0.07|https://help.aliyun.com/document_detail/2975738.html; Laisky/one-api relay/adaptor/ali/constants_embedding.go
dashscope intl USD high 2026-11-20|wan2.7-i2v S0.15 @720p,size=720p S0.1 @1080p,size=1080p S0.15|lobehub/lobehub qwen.ts @0e45b9c (1080P); pypi litellm 1.110.2 (cites alibabacloud.com model-studio/wan2-7-i2v
dashscope intl USD high 2026-11-20|wan2.7-r2v S0.15 @720p,size=720p S0.1 @1080p,size=1080p S0.15|lobehub/lobehub qwen.ts @0e45b9c (1080P); pypi litellm 1.110.2 (cites alibabacloud.com model-studio/wan2-7-r2v
dashscope intl USD high 2026-11-20|wan2.7-t2v S0.15 @720p,size=720p S0.1 @1080p,size=1080p S0.15|lobehub/lobehub qwen.ts @0e45b9c (1080P); pypi litellm 1.110.2 (cites alibabacloud.com model-studio/wan2-7-t2v
dashscope intl USD medium 2026-11-20|wan3.0-video S0.2 @480p,size=480p S0.05 @720p,size=720p S0.1 @1080p,size=1080p S0.2|pypi litellm 1.110.2 (cites alibabacloud.com/help/en/model-studio/wan3-0-video)
dashscope intl USD medium 2026-11-20|wan3.0-video-prime S0.28 @480p,size=480p S0.068 @720p,size=720p S0.14 @1080p,size=1080p S0.28|pypi litellm 1.110.2 (cites alibabacloud.com/help/en/model-studio/wan3-0-video-prime)
gemini intl USD high 2026-08-01|gemini-1.5-flash-8b i0.0375 o0.15 r0.01 >128000 i0.075 o0.3|pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90) (cites developers.googleblog.com); Portkey-AI/model
gemini intl USD medium 2025-02-01|gemini-2.0-flash-thinking-exp i0 o0 r0|npm @lobehub/chat 1.60.0 src/config/aiModels/google.ts (exp-01-21, exp-1219)
iflytek cn CNY low 2026-08-22|sparkdesk-v3.1-128k i5 o5|Laisky/one-api relay/adaptor/xunfei and xunfeiv2/constants.go (pro-128k)
iflytek cn CNY low 2026-08-22|sparkdesk-v3.5-32k i5 o5|Laisky/one-api relay/adaptor/xunfeiv2/constants.go (max-32k)
iflytek cn CNY medium 2026-08-22|sparkdesk-x1 i2 o2|Laisky/one-api relay/adaptor/xunfeiv2/constants.go (spark-x; the x1 parameter maps to X1.5; cites xinghuo.xfyu
jimeng cn CNY medium 2026-01-01|jimeng_ti2v_v30_pro S1|a public price table
jimeng cn CNY high 2026-01-01|jimeng_v30 S0.28|a public price table; a public price table; a public price table
jimeng cn CNY high 2026-01-01|jimeng_v30_1080p S0.63|a public price table; a public price table; a public price table
jina intl USD low 2025-01-01|jina-clip-v1 i0.02|a public price table
jina intl USD medium 2026-08-21|jina-embeddings-v2-base-code i0.02|Portkey-AI/models pricing/jina.json
jina intl USD high 2026-08-21|jina-embeddings-v2-base-en i0.02|Portkey-AI/models pricing/jina.json; a public price table; a public price table
jina intl USD medium 2026-08-21|jina-embeddings-v2-base-zh i0.02|Portkey-AI/models pricing/jina.json
jina intl USD high 2026-01-01|jina-embeddings-v3 i0.02|a public price table; a public price table; a public price table
jina intl USD low 2026-01-01|jina-embeddings-v4 i0.02|a public price table
jina intl USD medium 2026-11-20|jina-reranker-m0 i0.05|pypi litellm 1.110.2 (cites api.jina.ai/v1/models)
jina intl USD medium 2026-11-20|jina-reranker-v3 i0.05|Portkey-AI/models pricing/jina.json; pypi litellm 1.110.2 (v3.5, m0 and v2 at the same rate, cites api.jina.ai
kling intl USD medium 2026-05-10|kling-v1 S0.098 @std,quality=std S0.028 @pro,quality=pro S0.098|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @c7dcb74 (2026-05-10) and @3bb8a2d (2025)
kling intl USD medium 2026-05-10|kling-v1-6 S0.098 @std,quality=std S0.056 @pro,quality=pro S0.098|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @c7dcb74 (2026-05-10) and @3bb8a2d (2025)
kling intl USD medium 2026-05-10|kling-v2-1 S0.098 @std,quality=std S0.056 @pro,quality=pro S0.098|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @c7dcb74 (2026-05-10) and @3bb8a2d (2025)
kling intl USD medium 2026-05-10|kling-v2-1-master S0.28|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @c7dcb74 (2026-05-10) and @3bb8a2d (2025)
kling intl USD medium 2026-08-18|kling-v2-5-turbo S0.07|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @5c4d557 (2026-08-18; 211 credits = 1 USD); Comfy-Org/docs
kling intl USD medium 2026-08-18|kling-v2-6 S0.14 @pro,quality=pro S0.07 @pro-sound,quality=pro-sound S0.14|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @5c4d557 (2026-08-18; 211 credits = 1 USD); Comfy-Org/docs
kling intl USD medium 2026-05-10|kling-v2-master S0.28|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @c7dcb74 (2026-05-10) and @3bb8a2d (2025)
kling intl USD high 2026-08-18|kling-v3 S0.168 @std,quality=std S0.084 @std-sound,quality=std-sound S0.126 @pro,quality=pro S0.112 @pro-sound,quality=pro-sound S0.168 @4k,quality=4k S0.42 @4k-sound,quality=4k-sound S0.42|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @5c4d557 (2026-08-18; 211 credits = 1 USD); atlascloud.ai g
lingyiwanwu cn CNY medium 2026-02-01|yi-large-fc i20 o20|npm @lobehub/lobehub 2.1.26 zeroone.ts
lingyiwanwu cn CNY high 2026-02-01|yi-large-preview i20 o20|npm @lobehub/lobehub 2.1.26 zeroone.ts; QuantumNous/new-api (as Calcium-Ion/new-api) setting/operation_setting
lingyiwanwu cn CNY medium 2025-04-01|yi-large-rag-preview i25 o25|QuantumNous/new-api (as Calcium-Ion/new-api) setting/operation_setting/model-ratio.go @ef8ae4d; npm @lobehub/c
lingyiwanwu cn CNY high 2026-08-01|yi-lightning i0.99 o0.99|npm @lobehub/lobehub 2.1.26 zeroone.ts; Laisky/one-api relay/adaptor/lingyiwanwu/constants.go; desirecore/conf
lingyiwanwu cn CNY high 2026-08-01|yi-vision-v2 i6 o6|npm @lobehub/lobehub 2.1.26 zeroone.ts; Laisky/one-api relay/adaptor/lingyiwanwu/constants.go; desirecore/conf
minimax cn CNY medium 2026-02-01|abab5.5-chat i15 o15|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; MartialBE/one-hub model/price.go
minimax cn CNY medium 2026-02-01|abab5.5s-chat i5 o5|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; MartialBE/one-hub model/price.go
minimax cn CNY low 2025-02-01|abab6-chat i100 o100|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26
minimax cn CNY low 2025-02-01|abab6.5-chat i30 o30|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26
minimax cn CNY medium 2025-02-01|abab6.5s-chat i1 o1|npm @lobehub/chat 1.60.0 src/config/aiModels/minimax.ts
minimax cn CNY medium 2026-01-01|minimax-text-01 i1 o8|lobehub/lobehub minimax.ts @0800c4b; npm @lobehub/lobehub 2.1.26 minimax.ts
minimax intl USD high 2026-01-01|image-01 I0.0035|a public price table; a public price table
mistral intl USD medium 2026-11-20|mistral-moderation-latest i0|pypi litellm 1.110.2 (mistral-moderation-2603, cites docs.mistral.ai model card)
qianfan cn CNY medium 2025-12-01|ernie-3.5-128k i0.8 o2|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/lobehub 2.1.26 higress.ts
qianfan cn CNY medium 2025-12-01|ernie-3.5-8k i0.8 o2|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/lobehub 2.1.26 higress.ts
qianfan cn CNY medium 2025-12-01|ernie-4.0-8k i30 o90|npm @lobehub/chat 1.143.3 wenxin.ts (-latest); npm @lobehub/chat 1.60.0 src/config/aiModels/wenxin.ts (-latest
qianfan cn CNY medium 2025-12-01|ernie-4.0-turbo-128k i20 o60|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/chat 1.60.0 src/config/aiModels/wenxin.ts
qianfan cn CNY high 2026-08-01|ernie-4.0-turbo-8k i20 o60|npm @lobehub/chat 1.60.0 src/config/aiModels/wenxin.ts (-latest); Laisky/one-api relay/adaptor/baiduv2/constan
qianfan cn CNY high 2026-08-01|ernie-4.5-8k-preview i4 o16|lobehub/lobehub wenxin.ts @4852e98; Laisky/one-api relay/adaptor/baiduv2/constants.go (ernie-4.5)
qianfan cn CNY high 2026-08-01|ernie-4.5-turbo-128k i0.8 o3.2 r0.2|lobehub/lobehub wenxin.ts @4852e98; Laisky/one-api relay/adaptor/baiduv2/constants.go
qianfan cn CNY high 2026-08-01|ernie-4.5-turbo-32k i0.8 o3.2 r0.2|lobehub/lobehub wenxin.ts @4852e98; Laisky/one-api relay/adaptor/baiduv2/constants.go
qianfan cn CNY high 2026-08-01|ernie-4.5-turbo-vl-32k i3 o9 r0.75|lobehub/lobehub wenxin.ts @4852e98; Laisky/one-api relay/adaptor/baiduv2/constants.go (ernie-4.5-turbo-vl)
qianfan cn CNY high 2026-08-01|ernie-5.0 i6 o24 >32000 i10 o40|lobehub/lobehub wenxin.ts @4852e98; Laisky/one-api relay/adaptor/baiduv2/constants.go; desirecore/config-cente
qianfan cn CNY medium 2025-12-01|ernie-lite-8k i0 o0|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/chat 1.60.0 src/config/aiModels/wenxin.ts
qianfan cn CNY high 2026-08-01|ernie-lite-pro-128k i0.2 o0.4|npm @lobehub/lobehub 2.1.26 wenxin.ts; Laisky/one-api relay/adaptor/baiduv2/constants.go
qianfan cn CNY medium 2026-02-01|ernie-speed-128k i0 o0|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/lobehub 2.1.26 higress.ts
qianfan cn CNY low 2025-12-01|ernie-speed-8k i0 o0|npm @lobehub/chat 1.143.3 wenxin.ts (speed-128k only)
qianfan cn CNY high 2026-08-01|ernie-speed-pro-128k i0.3 o0.6|npm @lobehub/lobehub 2.1.26 wenxin.ts; Laisky/one-api relay/adaptor/baiduv2/constants.go
qianfan cn CNY medium 2025-12-01|ernie-tiny-8k i0 o0|npm @lobehub/chat 1.143.3 wenxin.ts; npm @lobehub/chat 1.60.0 src/config/aiModels/wenxin.ts
qianfan cn CNY high 2026-08-01|ernie-x1-32k i2 o8|npm @lobehub/chat 1.143.3 wenxin.ts; Laisky/one-api relay/adaptor/baiduv2/constants.go (ernie-x1)
qianfan cn CNY high 2026-08-01|ernie-x1-turbo-32k i1 o4|npm @lobehub/lobehub 2.1.26 wenxin.ts; Laisky/one-api relay/adaptor/baiduv2/constants.go (ernie-x1-turbo)
qianfan cn CNY high 2026-08-01|ernie-x1.1 i1 o4|lobehub/lobehub wenxin.ts @4852e98; Laisky/one-api relay/adaptor/baiduv2/constants.go; desirecore/config-cente
qianfan cn CNY medium 2026-08-21|qwen3-235b-a22b-thinking-2507 i2 o20|lobehub/lobehub wenxin.ts @4852e98
siliconflow cn CNY medium 2026-08-22|baai/bge-large-zh-v1.5 i0|Laisky/one-api relay/adaptor/siliconflow/constants.go
siliconflow cn CNY high 2026-08-01|baai/bge-m3 i0|Laisky/one-api relay/adaptor/siliconflow/constants.go; desirecore/config-center compute/providers/siliconflow.
siliconflow cn CNY medium 2026-01-01|baai/bge-reranker-v2-m3 i0|a public price table (listed among the free rerankers)
siliconflow cn CNY high 2026-01-01|funaudiollm/sensevoicesmall S0|a public price table; a public price table; a public price table
siliconflow cn CNY high 2026-01-01|kwai-kolors/kolors I0|a public price table; a public price table
siliconflow cn CNY high 2026-01-01|qwen/qwen-image I0.3|a public price table; a public price table
siliconflow cn CNY medium 2026-01-01|qwen/qwen-image-edit-2509 I0.3|a public price table; a public price table (one project)
siliconflow intl USD medium 2026-01-01|qwen/qwen3-reranker-8b i0.04|a public price table; a public price table (one project)
tencent cn CNY medium 2026-11-19|hy4 i6 o18 r0.3|cloud.tencent.com/developer/article/2787892
tencent cn CNY medium 2026-08-22|hunyuan-a13b-instruct i0.5 o2|Laisky/one-api tencent, hunyuan-a13b
tencent cn CNY medium 2026-02-01|hunyuan-code i3.5 o7|npm @lobehub/lobehub 2.1.26 hunyuan.ts
tencent cn CNY medium 2026-08-01|hunyuan-embedding i0.7|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; Laisky/one-api relay/adaptor/tencent/constants.go
tencent cn CNY high 2026-02-01|hunyuan-functioncall i4 o8|npm @lobehub/lobehub 2.1.26 hunyuan.ts; songquanpeng/one-api relay/billing/ratio/model.go @8df4a26 (input)
tencent cn CNY high 2026-02-01|hunyuan-large i4 o12|npm @lobehub/lobehub 2.1.26 hunyuan.ts; npm @lobehub/chat 1.60.0 src/config/aiModels/hunyuan.ts; songquanpeng/
tencent cn CNY high 2026-02-01|hunyuan-large-longcontext i6 o18|npm @lobehub/lobehub 2.1.26 hunyuan.ts; npm @lobehub/chat 1.60.0 src/config/aiModels/hunyuan.ts; songquanpeng/
tencent cn CNY high 2026-08-01|hunyuan-lite i0 o0|npm @lobehub/lobehub 2.1.26 hunyuan.ts; Laisky/one-api relay/adaptor/tencent/constants.go (cites cloud.tencent
tencent cn CNY high 2026-02-01|hunyuan-pro i30 o100|npm @lobehub/lobehub 2.1.26 higress.ts; MartialBE/one-hub model/price.go; Laisky/one-api relay/adaptor/tencent
tencent cn CNY high 2026-02-01|hunyuan-role i4 o8|npm @lobehub/lobehub 2.1.26 hunyuan.ts; songquanpeng/one-api relay/billing/ratio/model.go @8df4a26 (input)
tencent cn CNY high 2026-02-01|hunyuan-standard i0.8 o2|npm @lobehub/lobehub 2.1.26 hunyuan.ts; songquanpeng/one-api relay/billing/ratio/model.go @8df4a26 (input)
tencent cn CNY high 2026-02-01|hunyuan-standard-256k i0.5 o2|npm @lobehub/lobehub 2.1.26 hunyuan.ts; songquanpeng/one-api relay/billing/ratio/model.go @8df4a26 (input)
tencent cn CNY high 2026-08-01|hunyuan-t1-latest i1 o4|npm @lobehub/lobehub 2.1.26 hunyuan.ts; Laisky/one-api relay/adaptor/tencent/constants.go (cites cloud.tencent
tencent cn CNY high 2026-08-01|hunyuan-turbo-latest i2.4 o9.6|npm @lobehub/lobehub 2.1.26 hunyuan.ts; Laisky/one-api relay/adaptor/tencent/constants.go (cites cloud.tencent
tencent cn CNY high 2026-08-01|hunyuan-turbos-latest i0.8 o2|npm @lobehub/lobehub 2.1.26 hunyuan.ts; Laisky/one-api relay/adaptor/tencent/constants.go (cites cloud.tencent
tencent cn CNY medium 2026-08-22|hunyuan-vision i3 o9|Laisky/one-api relay/adaptor/tencent/constants.go (cites cloud.tencent.com/document/product/1729/97731, 2026-0
vertex intl USD medium 2026-08-21|imagen-3.0-capability-001 I0.04|Portkey-AI/models pricing/vertex-ai.json
vertex intl USD high 2026-11-20|llama-3.1-405b-instruct-maas i5 o16|pypi litellm 1.110.2 (vertex_ai); Portkey-AI/models pricing/vertex-ai.json
vertex intl USD high 2026-11-20|mistral-medium-3 i0.4 o2|LiteLLM vertex_ai; Portkey-AI/models
vidu intl USD high 2026-08-18|viduq1 S0.08|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @5c4d557 and @c7dcb74; https://cloud.baidu.com/doc/VOD/s/dm
vidu intl USD high 2026-08-18|viduq3-pro S0.15 @540p,size=540p S0.07 @720p,size=720p S0.15 @1080p,size=1080p S0.16|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @5c4d557 and @c7dcb74; 302.ai viduq3 table
vidu intl USD high 2026-08-18|viduq3-turbo S0.06 @540p,size=540p S0.04 @720p,size=720p S0.06 @1080p,size=1080p S0.08|Comfy-Org/docs tutorials/partner-nodes/pricing.mdx @5c4d557 and @c7dcb74; muapi.ai comparison; lobehub/lobehub
volcengine cn CNY medium 2026-09-02|deepseek-v4-flash-ga-260731 i3 o9 r0.1|pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90) (USD 0.4453 / 1.3359 / 0.01484 at the 6.737 rate th
volcengine cn CNY medium 2026-09-02|deepseek-v4-pro-ga-260813 i9 o27 r0.3|pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90) (USD 1.3359 / 4.00771 / 0.04453 at the 6.737 rate t
volcengine cn CNY high 2026-08-01|doubao-1-5-lite-32k-250115 i0.3 o0.6 r0.06|lobehub/lobehub volcengine.ts @18a6dcf; Laisky/one-api relay/adaptor/doubao/constants.go
volcengine cn CNY high 2026-08-01|doubao-1-5-pro-32k-250115 i0.8 o2 r0.16|lobehub/lobehub volcengine.ts @18a6dcf; Laisky/one-api relay/adaptor/doubao/constants.go
volcengine cn CNY medium 2026-08-01|doubao-embedding i0.5|desirecore/config-center compute/providers/volcengine.json
volcengine cn CNY medium 2026-02-01|doubao-lite-128k i0.8 o1|npm @lobehub/lobehub 2.1.26 volcengine.ts; npm @lobehub/chat 1.110.0
volcengine cn CNY medium 2026-01-01|doubao-lite-32k i0.3 o0.6|lobehub/lobehub volcengine.ts @18a6dcf (240828)
volcengine cn CNY medium 2026-02-01|doubao-lite-4k i0.3 o0.6|npm @lobehub/lobehub 2.1.26 volcengine.ts
volcengine cn CNY low 2026-02-01|doubao-pro-128k i5 o9|as Doubao-pro-256k (npm @lobehub/lobehub 2.1.26 volcengine.ts); Laisky/one-api relay/adaptor/doubao/constants.
volcengine cn CNY medium 2026-02-01|doubao-pro-256k i5 o9|npm @lobehub/lobehub 2.1.26 volcengine.ts; npm @lobehub/chat 1.110.0
volcengine cn CNY medium 2026-01-01|doubao-pro-32k i0.8 o2|lobehub/lobehub volcengine.ts @18a6dcf (241215)
volcengine cn CNY low 2026-01-01|doubao-pro-4k i0.8 o2|as Doubao-pro-32k; Laisky/one-api relay/adaptor/doubao/constants.go (0.8 input)
volcengine cn CNY high 2026-09-02|doubao-seed-1-6-251015 i0.8 o8 r0.16 >32000 i1.2 o16 r0.16 >128000 i2.4 o24 r0.16|lobehub/lobehub volcengine.ts @18a6dcf; pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90); Laisky/one
volcengine cn CNY high 2026-09-02|doubao-seed-1-6-flash-250828 i0.15 o1.5 r0.03 >32000 i0.3 o3 r0.03 >128000 i0.6 o6 r0.03|lobehub/lobehub volcengine.ts @18a6dcf; pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90); Laisky/one
volcengine cn CNY high 2026-09-02|doubao-seed-1-6-vision-250815 i0.8 o8 r0.16 >32000 i1.2 o16 r0.16 >128000 i2.4 o24 r0.16|pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90); Laisky/one-api relay/adaptor/doubao/constants.go
volcengine cn CNY high 2026-09-02|doubao-seed-1-8-251228 i0.8 o8 r0.16 >32000 i1.2 o16 r0.16 >128000 i2.4 o24 r0.16|lobehub/lobehub volcengine.ts @18a6dcf; pypi model-prices 0.0.5 snapshot.json (models.dev 4a77c90)
volcengine cn CNY medium 2026-08-01|doubao-seedream-4-0-250828 I0.2|lobehub/lobehub volcengine.ts @18a6dcf; BytePlus 0.03 USD in Portkey-AI/models pricing/byteplus.json and Comfy
volcengine cn CNY medium 2026-08-01|doubao-seedream-4-5-251128 I0.25|lobehub/lobehub volcengine.ts @18a6dcf; BytePlus 0.04 USD in Portkey-AI/models pricing/byteplus.json and Comfy
volcengine cn CNY high 2026-09-01|seed-tts-2.0 X300|a public price table; a public price table; a public price table (2026-09 table)
volcengine cn CNY low 2026-01-01|volc.bigasr.auc_turbo S0.00125|a public price table
zhipu cn CNY high 2026-08-01|cogview-3-flash I0|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; Laisky/one-api relay/adaptor/zhipu/constants_misc.
zhipu cn CNY high 2026-02-01|cogview-4-250304 I0.06|npm @lobehub/lobehub 2.1.26 zhipu.ts (cogview-4); a public price table; a public price table
zhipu cn CNY medium 2026-08-01|embedding-2 i0.5|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; Laisky/one-api relay/adaptor/zhipu/constants_misc.
zhipu cn CNY high 2026-08-01|embedding-3 i0.5|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; Laisky/one-api relay/adaptor/zhipu/constants_misc.
zhipu cn CNY high 2026-08-01|glm-4-flash i0 o0|songquanpeng/one-api relay/billing/ratio/model.go @8df4a26; Laisky/one-api relay/adaptor/zhipu/constants_text.
zhipu cn CNY medium 2026-08-21|glm-4.5 i3 o14 >32000 i4 o16|lobehub/lobehub zhipu.ts @008f047, the second and third tier
zhipu cn CNY medium 2026-08-21|glm-4.6 i3 o14 >32000 i4 o16|lobehub/lobehub zhipu.ts @008f047, the second and third tier
zhipu cn CNY medium 2026-08-21|glm-4.7 i3 o14 >32000 i4 o16|lobehub/lobehub zhipu.ts @008f047, the second and third tier
zhipu cn CNY high 2026-08-21|glm-5v-turbo i5 o22 r1.2|lobehub/lobehub hunyuan.ts; desirecore/config-center zhipu.json; models.dev zhipuai`
